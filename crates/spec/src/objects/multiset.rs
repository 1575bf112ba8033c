//! Elements that come out in no given order (the bag), or the highest priority first (the priority queue).
//!
//! Both are one multiset; for a bag all priorities are equal. When everything was decoded, each
//! element gets a *seat*: its place when all elements are sorted by priority, best last. A state
//! is the number of a multiset of seats ([`Counts`]), so the best are the highest, and a step is O(log m) for m
//! distinct elements, however many are inside. A pending poll has an outcome for every distinct element it may
//! have got. Where results are recorded, the state follows from which operations were done (Lee & Mathur 2025): it
//! adds no entries to a memo, so all that counts is what one costs.

use super::line::show_all;
use super::priority::{compare, priority};
use super::understand::{Answer, needs, object, truth, truth_if_recorded};
use crate::heap::Counts;
use crate::info::{ModelInfo, operation, option};
use crate::{Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};
use std::cmp::Ordering;
use std::sync::Arc;

/// The priority queue.
pub const PRIORITY_INFO: ModelInfo = ModelInfo {
    name: "priority-queue",
    aliases: &["pq", "heap", "priority-blocking-queue"],
    summary: "The highest priority comes out first.",
    operations: &[
        operation(
            "insert",
            &["add", "offer", "push", "put", "enqueue", "enq"],
            "element; its priority is itself, or the first item if it is a list",
            "–",
        ),
        operation(
            "poll",
            &["remove", "pop", "take", "delete_max", "delete_min", "extract", "dequeue", "deq"],
            "–",
            "an element of the highest priority, or empty",
        ),
        operation(
            "peek",
            &["top", "max", "min", "find_max", "find_min", "first"],
            "–",
            "an element of the highest priority, or empty",
        ),
    ],
    options: &[
        option("order", "max", "which priority is the highest: the largest (max) or the smallest (min)"),
        option("initial", "[]", "the elements in it at first"),
    ],
};

/// The bag.
pub const BAG_INFO: ModelInfo = ModelInfo {
    name: "bag",
    aliases: &["multiset", "pool"],
    summary: "Any element may come out; the same one may be in several times.",
    operations: &[
        operation("add", &["insert", "put", "push", "offer"], "element", "–"),
        operation("take", &["remove", "poll", "pop", "get"], "–", "any element in it, or empty"),
        operation("remove_value", &["discard", "delete"], "element", "bool?: was (one copy of) it there"),
        operation("contains", &["has", "member"], "element", "bool"),
    ],
    options: &[option("initial", "[]", "the elements in it at first")],
};

/// A priority queue or a bag.
#[derive(Clone, Debug)]
pub struct Multiset {
    info: &'static ModelInfo,
    order: Order,
    initial: Arc<[ValueId]>,
    /// Every element that was named, until they are seated.
    named: Vec<ValueId>,
    seats: Arc<Seats>,
    heap: Counts,
}

/// Which priority is the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// All priorities are equal.
    Any,
}

impl Order {
    /// Elements sorted by priority, best last, each with the number of those priorities that are lower. Of equal priority: by id.
    fn ranked(self, mut elements: Vec<ValueId>, values: &Values) -> Vec<(ValueId, u32)> {
        let number = |&element: &ValueId| values.as_int(priority(values, element)).map(|number| (number, element));
        let numbers = if self == Order::Any { None } else { elements.iter().map(number).collect::<Option<Vec<_>>>() };
        if let Some(mut numbers) = numbers {
            // The usual case, and much the fastest: no element is looked at again.
            let sign = |number: i64| if self == Order::Min { !number } else { number };
            numbers.sort_unstable_by_key(|&(number, element)| (sign(number), element));
            return numbered(numbers.into_iter().map(|(number, element)| (element, number)), |a, b| a == b);
        }
        let by_priority = |a: &ValueId, b: &ValueId| match self {
            Order::Any => Ordering::Equal,
            Order::Max => compare(values, priority(values, *a), priority(values, *b)),
            Order::Min => compare(values, priority(values, *b), priority(values, *a)),
        };
        elements.sort_by(by_priority); // stable: elements of equal priority stay sorted by id
        numbered(elements.into_iter().map(|element| (element, element)), |a, b| by_priority(a, b).is_eq())
    }
}

/// Elements with their priorities, sorted: the same with the priorities numbered.
fn numbered<P>(sorted: impl Iterator<Item = (ValueId, P)>, equal: impl Fn(&P, &P) -> bool) -> Vec<(ValueId, u32)> {
    let (mut class, mut last) = (0, None);
    let number = |(element, priority)| {
        class += u32::from(last.as_ref().is_some_and(|last| !equal(last, &priority)));
        last = Some(priority);
        (element, class)
    };
    sorted.map(number).collect()
}

/// Who sits where.
#[derive(Debug, Default)]
struct Seats {
    /// By the id of an element.
    seat_of: Vec<u32>,
    /// By seat: the element, and a number that only elements of equal priority share.
    element: Vec<(ValueId, u32)>,
}

/// What a multiset can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Put a copy in.
    Insert(ValueId),
    /// Take one of the best out; never "empty", which is a peek.
    Poll(Answer),
    /// Look at one of the best.
    Peek(Answer),
    /// Take a copy of this one out, if there is one: was there?
    Remove(ValueId, Option<bool>),
    /// Is there a copy of this one?
    Contains(ValueId, bool),
}

impl Multiset {
    /// A priority queue that holds `initial`.
    pub fn priority_queue(order: Order, initial: Vec<ValueId>) -> Self {
        Multiset::new(&PRIORITY_INFO, order, initial)
    }

    /// A bag that holds `initial`.
    pub fn bag(initial: Vec<ValueId>) -> Self {
        Multiset::new(&BAG_INFO, Order::Any, initial)
    }

    fn new(info: &'static ModelInfo, order: Order, initial: Vec<ValueId>) -> Self {
        Multiset {
            info,
            order,
            named: initial.clone(),
            initial: initial.into(),
            seats: Arc::default(),
            heap: Counts::new(0),
        }
    }

    fn seat(&self, element: ValueId) -> u32 {
        self.seats.seat_of[element.index()]
    }

    /// Is a copy of this element there, and none of a higher priority?
    fn is_best(&self, state: State, element: ValueId) -> bool {
        let (seat, class) = (self.seat(element), |seat: u32| self.seats.element[seat as usize].1);
        self.heap.contains(state, seat) && self.heap.highest(state).is_some_and(|best| class(best) == class(seat))
    }

    fn poll_any(&mut self, state: State, next: &mut Vec<State>) {
        let Some(best) = self.heap.highest(state) else { return next.push(state) };
        let (_, highest) = self.seats.element[best as usize];
        let first = self.seats.element.partition_point(|&(_, class)| class < highest);
        for (seat, _) in self.heap.seats_from(state, first as u32) {
            next.extend(self.heap.remove(state, seat));
        }
    }
}

impl Object for Multiset {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let name = self.info.resolve(op)?;
        let call = match (name, Answer::of(op)) {
            ("insert" | "add", _) => Call::Insert(op.value),
            ("take", _) if op.value != ValueId::NULL => {
                let what = "the value null (remove_value takes a chosen element)";
                return Err(needs(op, name, what, op.value));
            }
            ("poll" | "take" | "peek", Answer::Empty) => Call::Peek(Answer::Empty),
            ("poll" | "take", answer) => Call::Poll(answer),
            ("peek", answer) => Call::Peek(answer),
            ("remove_value", _) => match truth_if_recorded(op, name)? {
                Some(false) => Call::Contains(op.value, false),
                answer => Call::Remove(op.value, answer),
            },
            ("contains", _) => match truth(op, name)? {
                None => Call::Peek(Answer::Unknown),
                Some(inside) => Call::Contains(op.value, inside),
            },
            (name, _) => unreachable!("a {} has no {name}", self.info.name),
        };
        match call {
            Call::Insert(element) | Call::Remove(element, _) | Call::Contains(element, _) => self.named.push(element),
            Call::Poll(Answer::Element(element)) | Call::Peek(Answer::Element(element)) => self.named.push(element),
            Call::Poll(_) | Call::Peek(_) => {}
        }
        Ok(Request { reach: Reach::Cell(object(op)), call })
    }

    fn settle(&mut self, values: &Arc<Values>) {
        let named = std::mem::take(&mut self.named);
        let mut is_named = vec![false; named.iter().map(|element| element.index() + 1).max().unwrap_or(0)];
        named.iter().for_each(|element| is_named[element.index()] = true);
        let elements = (0..is_named.len() as u32).map(ValueId).filter(|element| is_named[element.index()]).collect();
        let mut seats = Seats { seat_of: vec![0; is_named.len()], element: self.order.ranked(elements, values) };
        for (seat, (element, _)) in seats.element.iter().enumerate() {
            seats.seat_of[element.index()] = seat as u32;
        }
        self.heap = Counts::new(seats.element.len());
        self.seats = Arc::new(seats);
    }

    fn initial(&mut self, _: ValueId) -> State {
        let initial = Held::Values(self.initial.to_vec());
        self.adopt(&initial)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match *call {
            Call::Insert(element) => next.push(self.heap.insert(state, self.seat(element))),
            Call::Poll(Answer::Element(element)) if self.is_best(state, element) => {
                next.extend(self.heap.remove(state, self.seat(element)));
            }
            Call::Poll(Answer::Unknown) => self.poll_any(state, next),
            Call::Peek(Answer::Element(element)) if self.is_best(state, element) => next.push(state),
            Call::Poll(Answer::Empty) | Call::Peek(Answer::Empty) if state == Counts::EMPTY => next.push(state),
            Call::Peek(Answer::Unknown) => next.push(state),
            Call::Remove(element, answer) => match self.heap.remove(state, self.seat(element)) {
                Some(after) => next.push(after),
                None if answer.is_none() => next.push(state),
                None => {}
            },
            Call::Contains(element, inside) => {
                if self.heap.contains(state, self.seat(element)) == inside {
                    next.push(state);
                }
            }
            Call::Poll(_) | Call::Peek(_) => {}
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        matches!(call, Call::Peek(_) | Call::Contains(..))
    }

    fn show(&self, state: State, values: &Values) -> String {
        let copies = |(seat, count)| std::iter::repeat_n(self.seats.element[seat as usize].0.0, count as usize);
        show_all(self.heap.seats_from(state, 0).into_iter().flat_map(copies), values)
    }

    fn hold(&self, state: State) -> Held {
        let copies = |(seat, count)| std::iter::repeat_n(self.seats.element[seat as usize].0, count as usize);
        Held::Values(self.heap.seats_from(state, 0).into_iter().flat_map(copies).collect())
    }

    fn expect(&mut self, held: &Held, _: &Values) {
        self.named.extend_from_slice(held.values());
    }

    fn adopt(&mut self, held: &Held) -> State {
        let mut seats: Vec<u32> = held.values().iter().map(|&element| self.seat(element)).collect();
        seats.sort();
        self.heap.intern(&seats)
    }

    fn shape(&self) -> Shape {
        Shape::PriorityQueue
    }

    /// Only a bag is asked for a chosen element: there all are of one class, so to find it is to peek.
    fn role(&self, call: &Call) -> Role {
        match *call {
            Call::Insert(element) => Role::Add(element.0),
            Call::Poll(answer) => answer.as_removal(),
            Call::Peek(answer) => answer.as_look(),
            Call::Remove(element, Some(true)) => Role::Remove(element.0),
            Call::Contains(element, true) => Role::Peek(element.0),
            Call::Contains(element, false) => Role::Absent(element.0),
            Call::Remove(..) => Role::Other,
        }
    }

    fn contents(&self, _: ValueId) -> Vec<u32> {
        self.initial.iter().map(|element| element.0).collect()
    }

    fn class(&self, value: u32) -> u32 {
        self.seats.element[self.seats.seat_of[value as usize] as usize].1
    }

    fn width(&self) -> u32 {
        32
    }

    fn bytes(&self) -> usize {
        self.heap.bytes()
    }
}
