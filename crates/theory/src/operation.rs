//! What does a theory see of an operation? Its sorts, the value it gives or takes, and its time.
//!
//! A part tells roles (`spec/role.rs`); a theory speaks of sorts: add, remove, read. One operation may be of several: a CAS
//! that succeeded is a read and a write. What an object holds at first was put in by operations of its own, before all others.

use crate::growing::{self, Shown};
use crate::theories::{self, Theory};
use linpoint_spec::{Part, Role, Shape};
use std::sync::Arc;

/// No value.
pub const NONE: u32 = u32::MAX;
/// Whatever value comes: a remove that never returned, a CAS that failed.
pub const ANY: u32 = u32::MAX - 1;
/// The rank of a return that never came.
pub const NEVER: u32 = u32::MAX;

/// The sorts by the names that formulas use.
const SORTS: [(&str, u32); 30] = [
    ("add", ADD),
    ("remove", REMOVE),
    ("peek", PEEK),
    ("front", REMOVE | PEEK),
    ("add_first", ADD_FIRST),
    ("add_last", ADD_LAST),
    ("first", FIRST),
    ("last", LAST),
    ("empty", EMPTY),
    ("write", WRITE),
    ("read", READ),
    ("lock", LOCK),
    ("unlock", UNLOCK),
    ("acquire", ACQUIRE),
    ("release", RELEASE),
    ("exchange", EXCHANGE),
    ("served", SERVED),
    ("present", PRESENT),
    ("absent", ABSENT),
    ("gone", REMOVE | ABSENT),
    ("here", ADD | PRESENT),
    ("element", ADD | REMOVE | PRESENT | ABSENT),
    ("giver", ADD | WRITE | LOCK | ACQUIRE | EXCHANGE),
    ("taker", REMOVE | PEEK | READ | UNLOCK | RELEASE | PRESENT | EXCHANGE),
    ("without", WITHOUT),
    ("whole", WHOLE),
    ("longest", LONGEST),
    ("odd", ODD),
    ("astray", ASTRAY),
    ("operation", PLAIN),
];
/// Puts a value in.
pub const ADD: u32 = 1;
/// Takes a value out.
pub const REMOVE: u32 = 1 << 1;
/// Sees a value.
pub const PEEK: u32 = 1 << 2;
/// Finds nothing.
pub const EMPTY: u32 = 1 << 3;
/// Leaves a value behind.
pub const WRITE: u32 = 1 << 4;
/// Finds a value.
pub const READ: u32 = 1 << 5;
/// Takes a lock.
pub const LOCK: u32 = 1 << 6;
/// Gives a lock back.
pub const UNLOCK: u32 = 1 << 7;
/// Takes one of several permits.
pub const ACQUIRE: u32 = 1 << 8;
/// Gives a permit back.
pub const RELEASE: u32 = 1 << 9;
/// Offers a value for another.
pub const EXCHANGE: u32 = 1 << 10;
/// An exchange that got a value.
pub const SERVED: u32 = 1 << 11;
/// Sees that an element is in a set.
pub const PRESENT: u32 = 1 << 12;
/// Sees that an element is not in a set.
pub const ABSENT: u32 = 1 << 13;
/// Puts a value in at the front of a deque.
pub const ADD_FIRST: u32 = 1 << 16;
/// Puts a value in at the back of a deque.
pub const ADD_LAST: u32 = 1 << 17;
/// Takes or sees the value at the front of a deque.
pub const FIRST: u32 = 1 << 18;
/// Takes or sees the value at the back of a deque.
pub const LAST: u32 = 1 << 19;
/// Finds no copy of a value.
pub const WITHOUT: u32 = 1 << 23;
/// Shows all that is there, and all of it was put in: a read of an object that only grows.
pub const WHOLE: u32 = 1 << 14;
/// Shows what nobody can have put in.
pub const ASTRAY: u32 = 1 << 20;
/// Shows the most: of a list, what every read is the beginning of.
pub const LONGEST: u32 = 1 << 21;
/// Shows no beginning of what the longest read of a list shows, or one that ends within a piece.
pub const ODD: u32 = 1 << 22;
/// Any operation: all have this one.
pub const PLAIN: u32 = 1 << 15;

/// The sorts that a name stands for.
pub(crate) fn sorts(name: &str) -> Option<u32> {
    SORTS.iter().find(|(known, _)| *known == name).map(|&(_, sorts)| sorts)
}

/// An operation as theories see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it is, a bit for each sort.
    pub sorts: u32,
    /// The value it puts in or leaves behind; [`NONE`] if it does not.
    pub gives: u32,
    /// The value it takes out or finds; [`NONE`] if it does not, [`ANY`] if it is not known which.
    pub takes: u32,
    /// The value that it did not find, where no more is known: a CAS that failed, a bag without it; [`NONE`] otherwise.
    pub unlike: u32,
    /// The priority of the value it gives.
    pub class: u32,
    /// What it shows of an object that only grows: a place in [`Operations::views`]; [`NONE`] if it shows nothing.
    pub shows: u32,
    /// The rank of its call.
    pub call: u32,
    /// The rank of its return, [`NEVER`] if it is pending.
    pub ret: u32,
}

impl Operation {
    /// One that neither gives nor takes, and of which no time is known.
    pub const NOTHING: Operation =
        Operation { sorts: PLAIN, gives: NONE, takes: NONE, unlike: NONE, class: 0, shows: NONE, call: 0, ret: NEVER };

    /// Must it take effect? Pending ones need not.
    pub fn is_required(&self) -> bool {
        self.ret != NEVER
    }

    /// Did it return before the other was called?
    pub fn precedes(&self, other: &Operation) -> bool {
        self.ret < other.call
    }
}

/// The operations of a part as theories see them: those of the part, then one for each thing held at first.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// All of them; an [`Atom`](crate::Atom) names one by its place.
    pub list: Vec<Operation>,
    /// How many are of the part.
    pub recorded: usize,
    /// What reads of the whole showed.
    pub views: Arc<[Shown]>,
}

impl Operations {
    /// The operations of a part and the theory that they are judged by, or why there is none.
    pub fn of(part: &Part) -> Result<(Operations, &'static Theory), String> {
        if let Some(seen) = growing::operations(part) {
            return seen;
        }
        let spec = &part.spec;
        let roles: Vec<Role> = part.codes.iter().map(|&code| spec.role(code)).collect();
        let theory = theories::theory_of(spec.shape(), &roles).ok_or("no theory covers its operations")?;
        let contents = if theory.is_lock() { Vec::new() } else { spec.contents() }; // a lock is free at first
        let mut list = Vec::with_capacity(roles.len() + contents.len());
        for (role, &code) in roles.into_iter().zip(&part.codes) {
            let mut operation = theory.operation(role).ok_or("an operation does what no theory tells")?;
            operation.sorts |= theory.end(operation.sorts, spec.at_back(code));
            let class = if operation.sorts & ADD == 0 { 0 } else { spec.class(operation.gives) };
            list.push(Operation { class, ret: NEVER, ..operation });
        }
        set_times(&mut list, part, contents.len());
        let is_open = |&code: &u32| matches!(spec.role(code), Role::RemoveUnknown | Role::ChangeIf(..));
        if list.iter().zip(&part.codes).any(|(operation, code)| operation.is_required() && is_open(code)) {
            return Err("an operation returned, and it is not known what it did".to_owned());
        }
        let recorded = list.len();
        for (place, value) in (0..).zip(contents) {
            let giver = Operation { call: 2 * place, ret: 2 * place + 1, ..theory.giver(value) };
            let sorts = giver.sorts | theory.end(giver.sorts, true);
            list.push(Operation { sorts, class: spec.class(value), ..giver });
        }
        Ok((Operations { list, recorded, ..Operations::default() }, theory))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The operation at a place.
    pub fn get(&self, place: u32) -> &Operation {
        &self.list[place as usize]
    }

    /// Is it of one of these sorts?
    pub fn is(&self, place: u32, sorts: u32) -> bool {
        self.get(place).sorts & sorts != 0
    }

    /// Did the first return before the second was called?
    pub fn precedes(&self, first: u32, second: u32) -> bool {
        self.get(first).precedes(self.get(second))
    }

    /// Does the first, a read of the whole, show what the second put in?
    pub fn shows(&self, read: u32, add: u32) -> bool {
        self.views.get(self.get(read).shows as usize).is_some_and(|shown| shown.has(self.get(add).gives))
    }

    /// Can the second have found what the first gave? By their values, and by time.
    pub fn can_match(&self, giver: u32, taker: u32) -> bool {
        let (from, to) = (self.get(giver), self.get(taker));
        let fits = from.gives != NONE && (to.takes == from.gives || to.takes == ANY && to.unlike != from.gives);
        fits && giver != taker && !to.precedes(from)
    }
}

impl Theory {
    /// What an operation with this role is to the theory, without its time; None where the theory does not tell.
    fn operation(&self, role: Role) -> Option<Operation> {
        let (put, take) = self.sorts;
        let of = |sorts, gives, takes| Operation { sorts: PLAIN | sorts, gives, takes, ..Operation::NOTHING };
        Some(match (role, self.is_lock()) {
            (Role::Nothing, _) => Operation::NOTHING,
            (Role::Change(0, _) | Role::ChangeIf(0, _), true) => of(put, 0, NONE),
            (Role::Change(..) | Role::ChangeIf(..), true) => of(take, NONE, 0),
            (_, true) => return None,
            (Role::Add(value) | Role::Write(value), _) => of(put, value, NONE),
            (Role::Remove(value) | Role::Read(value), _) => of(take, NONE, value),
            (Role::RemoveUnknown, _) => of(take, NONE, ANY),
            (Role::Peek(value), _) => of(PEEK, NONE, value),
            (Role::Empty, _) => of(EMPTY, NONE, NONE),
            (Role::Absent(value), _) => Operation { unlike: value, ..of(WITHOUT, NONE, NONE) },
            (Role::Change(from, to) | Role::ChangeIf(from, to), _) => of(put | take, to, from),
            (Role::ReadNot(value), _) => Operation { unlike: value, ..of(take, NONE, ANY) },
            (Role::ChangeNot(not, to), _) => Operation { unlike: not, ..of(put | take, to, ANY) },
            (Role::Other, _) => return None,
        })
    }

    /// At which end of a deque an operation of these sorts is.
    fn end(&self, sorts: u32, at_back: bool) -> u32 {
        match (self.has_two_ends(), sorts & ADD != 0, sorts & (REMOVE | PEEK) != 0) {
            (true, true, _) => [ADD_FIRST, ADD_LAST][usize::from(at_back)],
            (true, _, true) => [FIRST, LAST][usize::from(at_back)],
            _ => 0,
        }
    }

    /// The operation that put in what is there at first.
    fn giver(&self, value: u32) -> Operation {
        Operation { sorts: PLAIN | self.sorts.0, gives: value, ..Operation::NOTHING }
    }
}

/// Gives the operations of a part their times, behind those of so many things that are held at first; what comes after all events.
pub(crate) fn set_times(list: &mut [Operation], part: &Part, held: usize) -> u32 {
    let first = 2 * held as u32;
    for (rank, event) in (first..).zip(&part.events) {
        let operation = &mut list[event.op()];
        *(if event.is_return() { &mut operation.ret } else { &mut operation.call }) = rank;
    }
    first + part.events.len() as u32
}

/// Is it a lock that is only taken and given back? (One that is also tried in vain is a cell of two values.)
pub(crate) fn is_lock(shape: Shape, roles: &[Role]) -> bool {
    let fits = |role: &Role| matches!(role, Role::Change(..) | Role::ChangeIf(..) | Role::Nothing);
    shape == Shape::Mutex && roles.iter().all(fits)
}
