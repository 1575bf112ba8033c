//! From a history and a model to independent parts: P-compositionality.
//!
//! Horn & Kroening (FORTE 2015, §3–4) split a history by the key each operation names.
//! We split by *groups of cells*: cells that some operation touches together (a transaction, the
//! size of a set) stay together, found by union-find, so a model with such operations is still
//! partitioned as far as it can be. One pass over the events: O(n log n) at worst, O(n) in practice.
//!
//! Sound because the cells of different groups share no operation: an order for each group merges
//! into one order for all by giving every operation a point between its call and its return.

use crate::product::{Calls, Product};
use crate::{Carried, Code, ModelError, Object, OpView, Reach, Refusal, Request, Spec};
use hashbrown::{HashMap, HashTable};
use linpoint_base::{Control, Hashing};
use linpoint_history::{Event, History, Status, ValueId, Values};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// Operations that can be judged on their own.
pub struct Part {
    /// What they have in common, in words: the key. None when nothing was split.
    pub label: Option<String>,
    /// The operations, as numbers of the history, in the order of their calls.
    pub ops: Vec<u32>,
    /// What each of them does.
    pub codes: Vec<Code>,
    /// Who called each of them: equal numbers, the same process.
    pub processes: Vec<u32>,
    /// Their events in order, operations renumbered by their place in `ops`.
    pub events: Vec<Event>,
    /// The specification they are judged by.
    pub spec: Box<dyn Spec>,
}

impl Part {
    /// Takes over all operations of a history that stand in the order of their calls.
    fn take_all(&mut self, history: &History, code_of: Vec<Code>) {
        self.ops = (0..history.len() as u32).collect();
        self.codes = code_of;
        self.processes = history.process.iter().map(|process| process.0).collect();
        self.events = history.events.clone();
    }
}

/// An operation that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Its number in the history.
    pub operation: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.operation, self.message)
    }
}

/// What is wrong with operation `i`, by its name.
pub(crate) fn misfit(i: usize, op: &OpView<'_>, refusal: Refusal) -> Misfit {
    Misfit { operation: i, message: format!("{:?}: {}", op.f, refusal.0) }
}

/// How many operations are decoded between two looks at the budget.
const BETWEEN_LOOKS: usize = 1 << 16;

type FastMap<K, V> = HashMap<K, V, Hashing>;

/// Compiles `history` for `object`; `values` is the history's table, perhaps with more values.
pub fn compile<O: Object>(
    object: O,
    history: &History,
    values: &Arc<Values>,
    partition: bool,
    control: &Control,
) -> Result<Vec<Part>, ModelError> {
    compile_from(object, history, values, partition, &[], control)
}

/// The same where some cells were judged before and hold something: those that are carried together stay together.
pub fn compile_from<O: Object>(
    mut object: O,
    history: &History,
    values: &Arc<Values>,
    partition: bool,
    carried: &[Carried<'_>],
    control: &Control,
) -> Result<Vec<Part>, ModelError> {
    let Understood { code_of, reaches, reach_of, calls } = understand(&mut object, history, values, control)?;
    carried.iter().flat_map(|group| &group.held).for_each(|held| object.expect(held, values));
    object.settle(values);
    let groups = Groups::of(&reaches, object.standing(), partition, carried);
    let read_only = calls.iter().map(|call| object.read_only(call)).collect();
    let cell = |reach: &Reach| match reach {
        Reach::Cell(key) => Some(groups.place[key].1),
        Reach::Cells(_) | Reach::All => None,
    };
    let cell = reaches.iter().map(cell).collect();
    let finest = if partition { None } else { Some(Groups::of(&reaches, object.standing(), true, carried)) };
    let domain = reaches.iter().map(|reach| finest.as_ref().map_or(0, |groups| groups.group_of(reach))).collect();
    let calls = Arc::new(Calls { calls, read_only, reach_of, cell, domain });
    let group_of: Vec<u32> = reaches.iter().map(|reach| groups.group_of(reach)).collect();
    let mut parts: Vec<Part> = groups
        .keys
        .iter()
        .map(|keys| Part {
            label: (groups.keys.len() > 1 && carried.is_empty()).then(|| label(keys, values)), // no window is told by name
            ops: Vec::new(),
            codes: Vec::new(),
            processes: Vec::new(),
            events: Vec::new(),
            spec: Box::new(Product::new(object.clone(), Arc::clone(&calls), Arc::clone(keys), Arc::clone(values))),
        })
        .collect();
    go_on(control)?;
    match &mut parts[..] {
        [only] if stands_as_called(history, &code_of) => only.take_all(history, code_of),
        _ => deal(history, &code_of, |code| group_of[calls.reach(code)] as usize, &mut parts),
    }
    Ok(parts)
}

/// Do operations stand in the order of their calls, and did none fail? Then nothing has to be renumbered.
fn stands_as_called(history: &History, code_of: &[Code]) -> bool {
    history.call.is_sorted() && !code_of.contains(&FAILED)
}

/// A look at the budget.
fn go_on(control: &Control) -> Result<(), ModelError> {
    control.expired().map_or(Ok(()), |cause| Err(ModelError::Stopped(cause)))
}

/// The keys of a part in words, the first few of many.
fn label(keys: &[ValueId], values: &Values) -> String {
    const FEW: usize = 8;
    let mut shown: Vec<String> = keys.iter().take(FEW).map(|&key| values.show(key)).collect();
    if keys.len() > FEW {
        shown.push(format!("… {} more", keys.len() - FEW));
    }
    shown.join(", ")
}

/// The code of an operation that failed.
pub const FAILED: Code = Code::MAX;

/// Deals the events of the history to the parts, in order. `code_of` is [`FAILED`] for operations that failed.
pub fn deal(history: &History, code_of: &[Code], group_of: impl Fn(Code) -> usize, parts: &mut [Part]) {
    let mut counts = vec![0; parts.len()];
    code_of.iter().filter(|&&code| code != FAILED).for_each(|&code| counts[group_of(code)] += 1);
    for (part, count) in parts.iter_mut().zip(counts) {
        part.ops.reserve_exact(count);
        part.codes.reserve_exact(count);
        part.processes.reserve_exact(count);
        part.events.reserve_exact(2 * count); // as many more as never returned
    }
    let mut local = vec![0u32; history.len()];
    for event in &history.events {
        let (op, code) = (event.op(), code_of[event.op()]);
        if code == FAILED {
            continue;
        }
        let part = &mut parts[group_of(code)];
        if event.is_return() {
            part.events.push(Event::ret(local[op] as usize));
        } else {
            local[op] = part.ops.len() as u32;
            part.events.push(Event::call(part.ops.len()));
            part.ops.push(op as u32);
            part.codes.push(code);
            part.processes.push(history.process[op].0);
        }
    }
}

/// What the operations of a history mean.
struct Understood<C> {
    /// The code of every operation; [`FAILED`] for one that failed.
    code_of: Vec<Code>,
    /// What operations are about, each once; and which of it each code is about, unless all are about the same.
    reaches: Vec<Reach>,
    reach_of: Vec<u32>,
    /// What each code does.
    calls: Vec<C>,
}

/// Decodes operations and gives one code to those that mean the same.
///
/// Where operations repeat, a table of all that was recorded saves most of the decoding. Where nearly every operation is another
/// one, tables of millions cost more than they save: from then on only pending operations, which stay open for ever, and
/// recent ones are compared. (Operations share a code so that a search may take open ones for one another.)
fn understand<O: Object>(
    object: &mut O,
    history: &History,
    values: &Values,
    control: &Control,
) -> Result<Understood<O::Call>, ModelError> {
    let patience = (history.len() / 64).max(4096);
    let (mut codes, mut alike) = (Codes::new(), Alike { history, table: HashTable::new(), asked: 0, patience });
    let mut code_of: Vec<Code> = Vec::with_capacity(history.len());
    for i in 0..history.len() {
        if i % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 {
            go_on(control)?;
        }
        let repetitive = alike.pays();
        code_of.push(if history.status[i] == Status::Fail {
            FAILED
        } else if repetitive && let Some(before) = alike.before(i) {
            code_of[before as usize]
        } else {
            let op = OpView::of(history, i, values);
            let Request { reach, call } = object.decode(&op).map_err(|refusal| misfit(i, &op, refusal))?;
            if repetitive || op.result.is_none() {
                codes.of(reach, call)
            } else {
                codes.expect(history.len() - i);
                codes.of_recent(reach, call)
            }
        });
    }
    let Codes { reaches, reach_of, calls, .. } = codes;
    Ok(Understood { code_of, reaches, reach_of, calls })
}

/// Finds operations that were recorded alike.
struct Alike<'h> {
    history: &'h History,
    table: HashTable<u32>,
    asked: usize,
    /// How often it is asked before anybody looks at what that brings: the longer a history, the later its operations may begin to repeat.
    patience: usize,
}

impl Alike<'_> {
    /// An operation before this one that was recorded like it.
    fn before(&mut self, i: usize) -> Option<u32> {
        let history = self.history;
        let recorded = |i: usize| (history.f[i], history.key[i], history.value[i], history.result_of(i));
        let hash = Hashing::default().hash_one(recorded(i));
        self.asked += 1;
        let found = self.table.find(hash, |&before| recorded(before as usize) == recorded(i)).copied();
        if found.is_none() {
            self.table.insert_unique(hash, i as u32, |&i| Hashing::default().hash_one(recorded(i as usize)));
        }
        found
    }

    /// Is it worth asking? Not if, after many operations, most of them were new.
    fn pays(&self) -> bool {
        self.asked < self.patience || 2 * self.table.len() < self.asked
    }
}

/// The meanings of operations. What they are about is numbered, for it is the same for most of them.
struct Codes<C> {
    reaches: Vec<Reach>,
    reach_table: HashTable<u32>,
    /// The last one that was asked for.
    last_reach: u32,
    /// By code; empty while all codes are about the same.
    reach_of: Vec<u32>,
    calls: Vec<C>,
    table: HashTable<Code>,
    /// The last code whose hash begins with these bits, and more bits of its hash.
    recent: Vec<(u32, Code)>,
}

const RECENT_BITS: u32 = 14;

impl<C: Eq + Hash> Codes<C> {
    fn new() -> Self {
        Codes {
            reaches: Vec::new(),
            reach_table: HashTable::new(),
            last_reach: 0,
            reach_of: Vec::new(),
            calls: Vec::new(),
            table: HashTable::new(),
            recent: Vec::new(),
        }
    }

    /// Makes room for so many more.
    fn expect(&mut self, more: usize) {
        self.calls.reserve(more);
        self.recent.resize(1 << RECENT_BITS, (0, Code::MAX));
    }

    /// The number of what an operation is about.
    fn number(&mut self, reach: Reach) -> u32 {
        if self.reaches.get(self.last_reach as usize) != Some(&reach) {
            let hash = Hashing::default().hash_one(&reach);
            let known = self.reach_table.find(hash, |&number| self.reaches[number as usize] == reach);
            self.last_reach = known.copied().unwrap_or(self.reaches.len() as u32);
            if self.last_reach as usize == self.reaches.len() {
                if self.reaches.len() == 1 {
                    self.reach_of = vec![0; self.calls.len()];
                }
                self.reaches.push(reach);
                let hash_of = |&number: &u32| Hashing::default().hash_one(&self.reaches[number as usize]);
                self.reach_table.insert_unique(hash, self.last_reach, hash_of);
            }
        }
        self.last_reach
    }

    /// The code of a meaning; one that is in the table if it is there.
    fn of(&mut self, reach: Reach, call: C) -> Code {
        let reach = self.number(reach);
        let hash = hash_of(reach, &call);
        if let Some(&code) = self.table.find(hash, |&code| self.means(code, reach, &call)) {
            return code;
        }
        let code = self.add(reach, call);
        let Codes { reach_of, calls, table, .. } = self;
        table.insert_unique(hash, code, |&code| {
            hash_of(reach_of.get(code as usize).copied().unwrap_or(0), &calls[code as usize])
        });
        code
    }

    /// The code of a meaning; a new one unless it was used a moment ago.
    fn of_recent(&mut self, reach: Reach, call: C) -> Code {
        let reach = self.number(reach);
        let hash = hash_of(reach, &call);
        let (place, tag) = ((hash >> (64 - RECENT_BITS)) as usize, hash as u32);
        let (known, code) = self.recent[place];
        if known == tag && code != Code::MAX && self.means(code, reach, &call) {
            return code;
        }
        let code = self.add(reach, call);
        self.recent[place] = (tag, code);
        code
    }

    fn means(&self, code: Code, reach: u32, call: &C) -> bool {
        self.reach_of.get(code as usize).copied().unwrap_or(0) == reach && self.calls[code as usize] == *call
    }

    fn add(&mut self, reach: u32, call: C) -> Code {
        if self.reaches.len() > 1 {
            self.reach_of.push(reach);
        }
        self.calls.push(call);
        self.calls.len() as Code - 1
    }
}

fn hash_of<C: Hash>(reach: u32, call: &C) -> u64 {
    Hashing::default().hash_one((reach, call))
}

/// Which cells go together.
struct Groups {
    /// Key → (group, place of its cell within the group).
    place: FastMap<ValueId, (u32, u32)>,
    /// The keys of each group, sorted.
    keys: Vec<Arc<[ValueId]>>,
}

impl Groups {
    fn of(reaches: &[Reach], standing: &[ValueId], partition: bool, carried: &[Carried<'_>]) -> Groups {
        let mut union = Union::default();
        for keys in carried.iter().map(|group| group.keys) {
            keys.iter().for_each(|key| union.join(keys[0], *key));
        }
        let mut whole = !partition;
        for reach in reaches {
            match reach {
                Reach::Cell(key) => _ = union.node(*key),
                Reach::Cells(keys) => keys.iter().for_each(|key| union.join(keys[0], *key)),
                Reach::All => {
                    whole = true;
                    standing.iter().for_each(|key| _ = union.node(*key));
                }
            }
        }
        let mut keys: Vec<Vec<ValueId>> = Vec::new();
        let mut group_of_root: FastMap<u32, usize> = FastMap::default();
        for node in 0..union.keys.len() as u32 {
            let root = if whole { 0 } else { union.root(node) };
            let group = *group_of_root.entry(root).or_insert(keys.len());
            if group == keys.len() {
                keys.push(Vec::new());
            }
            keys[group].push(union.keys[node as usize]);
        }
        if keys.is_empty() {
            keys.push(Vec::new()); // a history without operations, or one that only asks for the size
        }
        let mut place = FastMap::default();
        for (group, keys) in keys.iter_mut().enumerate() {
            keys.sort();
            for (cell, key) in keys.iter().enumerate() {
                place.insert(*key, (group as u32, cell as u32));
            }
        }
        Groups { place, keys: keys.into_iter().map(Arc::from).collect() }
    }

    fn group_of(&self, reach: &Reach) -> u32 {
        match reach {
            Reach::Cell(key) => self.place[key].0,
            Reach::Cells(keys) => keys.first().map_or(0, |key| self.place[key].0),
            Reach::All => 0,
        }
    }
}

/// Union-find over keys.
#[derive(Default)]
struct Union {
    keys: Vec<ValueId>,
    parent: Vec<u32>,
    node_of: FastMap<ValueId, u32>,
}

impl Union {
    fn node(&mut self, key: ValueId) -> u32 {
        *self.node_of.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.parent.push(self.parent.len() as u32);
            self.parent.len() as u32 - 1
        })
    }

    fn root(&mut self, node: u32) -> u32 {
        linpoint_base::root(&mut self.parent, node)
    }

    fn join(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.node(a), self.node(b));
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a as usize] = b;
    }
}
