//! Can transactions over registers whose values are each written once be put in a row? By what must come before what.
//!
//! With unique values it is known which write each read saw. What is open is the order of writes to one register; strict
//! serializability is NP-hard even so (Papadimitriou, *The serializability of concurrent database updates*, J. ACM 1979). But much follows, as in Biswas &
//! Enea, *On the complexity of checking transactional consistency* (OOPSLA 2019):
//!
//! ```text
//!   t1  writes x = 1             |----|
//!   t2  writes x = 2                |----|         t2 comes before t3 (real time), and t3 saw t1's x: so t2 comes before t1
//!   t3  reads x → 1                        |----|
//! ```
//!
//! `saturate` adds such edges until nothing follows any more. A cycle is a violation. Otherwise transactions are carried out one after the other, always
//! one that nothing has to precede, sees what it saw, and takes no value away that another has yet to see.
//!
//! Cost: O(n²/64) words per round of edges, a few rounds. Declines a value that is written twice, transactions that do more than read and write, more
//! than [`MOST`] of them, and where it gets stuck.

mod saturate;

use super::{Decided, Decision, Meter, Monitor, NEVER, declined, ranks};
use crate::methods::Method;
use crate::outcome::Answer;
use crate::settings::Settings;
use hashbrown::HashMap;
use linpoint_base::{Control, Hashing};
use linpoint_spec::{Part, Role, Shape, StepError};
use saturate::saturate;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More transactions would need too much memory.
const MOST: usize = 12_000;

/// The method.
pub struct Transactions(Monitor);

pub(crate) const MONITOR: Transactions = Transactions(Monitor {
    name: "transactions",
    help: "transactions over several registers in which every value is written once, by what must come before what; declines what it does not cover, and where that leaves it stuck",
    shape: Shape::Other,
    decide,
});

impl Method for Transactions {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn help(&self) -> &'static str {
        self.0.help
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        let told = part.spec.shape() == Shape::Other
            && part.ops.len() <= MOST
            && part.codes.first().is_some_and(|&code| part.spec.effects(code).is_some());
        if told { Ok(()) } else { Err("these are not transactions over registers, or they are too many".to_owned()) }
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        self.0.run(part, settings, control)
    }
}

/// The writer of what a register holds at first.
const HELD_FIRST: u32 = u32::MAX - 1;

/// A value of a register: who wrote it, and who saw it.
struct Version {
    cell: u32,
    writer: u32,
    readers: Vec<u32>,
}

/// What the transactions did.
struct Deeds {
    call: Vec<u32>,
    ret: Vec<u32>,
    versions: Vec<Version>,
    /// By operation: the versions that it sees and makes.
    sees: Vec<Vec<u32>>,
    makes: Vec<Vec<u32>>,
    /// The versions of each register; the first is held at first.
    of_cell: Vec<Vec<u32>>,
    /// Did it take effect? False for pending ones of which nobody saw anything.
    matters: Vec<bool>,
}

fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let deeds = Deeds::of(part, meter)?;
    let before = saturate(&deeds, meter)?;
    carry_out(&deeds, &before, meter)
}

impl Deeds {
    fn of(part: &Part, meter: &mut Meter<'_>) -> Decided<Deeds> {
        let n = part.ops.len();
        meter.hold(n * 200)?;
        let (call, ret) = ranks(part, 1);
        let mut deeds = Deeds {
            call,
            ret,
            versions: Vec::new(),
            sees: vec![Vec::new(); n],
            makes: vec![Vec::new(); n],
            of_cell: Vec::new(),
            matters: vec![false; n],
        };
        let mut known: HashMap<(u32, u32), u32, Hashing> = HashMap::default();
        for cell in 0..part.spec.cells().len() as u32 {
            let &[held] = &part.spec.contents_of(cell)[..] else {
                return Err(declined("a cell does not hold one value"));
            };
            known.insert((cell, held), cell);
            deeds.versions.push(Version { cell, writer: HELD_FIRST, readers: Vec::new() });
            deeds.of_cell.push(vec![cell]);
        }
        let mut reads = Vec::new();
        for (op, &code) in part.codes.iter().enumerate() {
            meter.tick()?;
            let Some(effects) = part.spec.effects(code) else {
                return Err(declined("an operation does more than read and write"));
            };
            for (cell, role) in effects {
                let (seen, made) = match role {
                    Role::Read(value) => (Some(value), None),
                    Role::Write(value) => (None, Some(value)),
                    Role::Change(from, to) => (Some(from), Some(to)),
                    Role::Nothing => (None, None),
                    _ => return Err(declined("an operation does more than read and write")),
                };
                reads.extend(seen.filter(|_| deeds.ret[op] != NEVER).map(|value| (op as u32, cell, value)));
                if let Some(value) = made {
                    let version = deeds.versions.len() as u32;
                    if known.insert((cell, value), version).is_some() {
                        return Err(declined("a value is written more than once, or written though held at first"));
                    }
                    deeds.versions.push(Version { cell, writer: op as u32, readers: Vec::new() });
                    deeds.of_cell[cell as usize].push(version);
                    deeds.makes[op].push(version);
                }
            }
        }
        for (op, cell, value) in reads {
            let Some(&version) = known.get(&(cell, value)) else { return Err(Decision::Violation(vec![op])) };
            if deeds.versions[version as usize].writer == op {
                return Err(Decision::Violation(vec![op])); // it saw what it wrote before it wrote it
            }
            deeds.versions[version as usize].readers.push(op);
            deeds.sees[op as usize].push(version);
        }
        for op in 0..n {
            let is_seen = |&version: &u32| !deeds.versions[version as usize].readers.is_empty();
            deeds.matters[op] = deeds.ret[op] != NEVER || deeds.makes[op].iter().any(is_seen);
        }
        Ok(deeds)
    }
}

/// One transaction after the other: those that nothing has to precede, the one that returns first first.
fn carry_out(deeds: &Deeds, before: &saturate::Before, meter: &mut Meter<'_>) -> Decided<Decision> {
    let mut held: Vec<u32> = (0..deeds.of_cell.len() as u32).collect();
    let mut unread: Vec<u32> = deeds.versions.iter().map(|version| version.readers.len() as u32).collect();
    let mut waits: Vec<u32> = before.waits.clone();
    let mut ready: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    let mut order = Vec::new();
    let mut free: Vec<u32> = (0..waits.len() as u32).filter(|&node| waits[node as usize] == 0).collect();
    let mut blocked: Vec<u32> = Vec::new();
    let count = deeds.matters.iter().filter(|&&matters| matters).count();
    while order.len() < count {
        meter.tick()?;
        while let Some(node) = free.pop() {
            match before.operation(node) {
                Some(op) if deeds.matters[op as usize] => ready.push(Reverse((deeds.ret[op as usize], op))),
                Some(_) => {}
                None => before.release(node, &mut waits, &mut free),
            }
        }
        let Some(Reverse((_, op))) = ready.pop() else {
            return Err(declined("no transaction can be carried out next, as far as it is known what precedes what"));
        };
        let sees = |version: &u32| held[deeds.versions[*version as usize].cell as usize] == *version;
        let lets = |version: &u32| {
            let over = held[deeds.versions[*version as usize].cell as usize] as usize;
            let own = u32::from(deeds.versions[over].readers.contains(&op));
            unread[over] <= own
        };
        if !(deeds.sees[op as usize].iter().all(sees) && deeds.makes[op as usize].iter().all(lets)) {
            blocked.push(op);
            continue;
        }
        order.push(op);
        deeds.sees[op as usize].iter().for_each(|&version| unread[version as usize] -= 1);
        for &version in &deeds.makes[op as usize] {
            held[deeds.versions[version as usize].cell as usize] = version;
        }
        before.release(op, &mut waits, &mut free);
        ready.extend(blocked.drain(..).map(|op| Reverse((deeds.ret[op as usize], op))));
    }
    Ok(Decision::Linearizable(order))
}
