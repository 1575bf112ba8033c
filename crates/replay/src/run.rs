//! (c) Does a sequential object, run in the order of the witness, give the recorded results?
//!
//! Objects are told apart by their key and share nothing, so each is run on its own, several at a time. One step per operation.

use crate::Judgement;
use crate::op::Op;
use crate::order::GLANCE;
use crate::sequential::{Fit, Sequential};
use hashbrown::HashMap;
use linpoint_base::{Account, Control, Hashing};
use linpoint_history::{History, ValueId, Values};
use rayon::prelude::*;

/// Witnesses shorter than this are not worth a thread.
const SMALL: usize = 20_000;

/// Runs objects like `first` through the witness.
pub(crate) fn run<S: Sequential>(
    first: &S,
    history: &History,
    values: &Values,
    witness: &[u32],
    threads: usize,
    control: &Control,
) -> Judgement {
    let run_one = |ops: &[u32]| run_object(first.clone(), history, values, ops, control);
    if S::HAS_KEYS || witness.iter().all(|&op| history.key_of(op as usize).is_none()) {
        return run_one(witness);
    }
    let mut account = Account::alone(control);
    if let Some(cause) = account.poll(2 * size_of_val(witness), 0) {
        return Judgement::Stopped(cause);
    }
    let (ops, ends) = by_object(history, witness);
    let object = |at: usize| &ops[if at == 0 { 0 } else { ends[at - 1] }..ends[at]];
    let judgements: Vec<Judgement> = if witness.len() < SMALL || threads < 2 {
        (0..ends.len()).map(|at| run_one(object(at))).collect()
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        pool.install(|| (0..ends.len()).into_par_iter().map(|at| run_one(object(at))).collect())
    };
    let severity = |judgement: &Judgement| match judgement {
        Judgement::Wrong { .. } => 3,
        Judgement::Stopped(_) => 2,
        Judgement::CannotTell => 1,
        Judgement::Right => 0,
    };
    judgements.into_iter().max_by_key(severity).unwrap_or(Judgement::Right)
}

/// The operations sorted by object, in each in the order of the witness, and where each object ends.
fn by_object(history: &History, witness: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let mut numbers: HashMap<Option<ValueId>, usize, Hashing> = HashMap::default();
    let mut ends = Vec::new();
    for &op in witness {
        let next = numbers.len();
        let number = *numbers.entry(history.key_of(op as usize)).or_insert(next);
        if number == ends.len() {
            ends.push(0);
        }
        ends[number] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end); // where it begins, for now
    }
    let mut ops = vec![0; witness.len()];
    for &op in witness {
        let end = &mut ends[numbers[&history.key_of(op as usize)]];
        ops[*end] = op;
        *end += 1;
    }
    (ops, ends)
}

fn run_object<S: Sequential>(
    mut object: S,
    history: &History,
    values: &Values,
    ops: &[u32],
    control: &Control,
) -> Judgement {
    let mut account = Account::alone(control);
    let mut names = Vec::new();
    for chunk in ops.chunks(GLANCE) {
        if let Some(cause) = account.poll(object.bytes(), 0) {
            return Judgement::Stopped(cause);
        }
        for &op in chunk {
            let at = op as usize;
            let Some(name) = named::<S>(&mut names, values, history.f[at]) else { return Judgement::CannotTell };
            let (key, value, result) = (history.key_of(at), history.value[at], history.result_of(at));
            match object.act(&Op { name, key, value, result, values }) {
                Fit::Yes => {}
                Fit::No if !object.guessed() => {
                    let why = "where the model, run in this order, does not allow it";
                    return Judgement::Wrong { operation: op, why: format!("the witness has operation {op} {why}") };
                }
                Fit::No | Fit::NotUnderstood => return Judgement::CannotTell,
            }
        }
    }
    Judgement::Right
}

/// The name in the reference that a recorded name stands for; the few that occur are remembered.
fn named<S: Sequential>(known: &mut Vec<(ValueId, &'static str)>, values: &Values, f: ValueId) -> Option<&'static str> {
    if let Some((_, name)) = known.iter().find(|(id, _)| *id == f) {
        return Some(name);
    }
    let recorded = values.as_text(f)?;
    let find = |is: &dyn Fn(&str) -> bool| {
        S::NAMES.iter().find(|(name, synonyms)| is(name) || synonyms.iter().any(|synonym| is(synonym)))
    };
    let (name, _) = find(&|name| name == recorded).or_else(|| find(&|name| plain(name) == plain(recorded)))?;
    known.push((f, name));
    Some(name)
}

/// A name without what makes no difference: upper case, `-`, `_` and spaces.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', '_', ' '], "")
}
