//! A line with two ends: the queue, which is joined at the back and left at the front, and the deque.
//!
//! A state is the number of a sequence of elements, front first ([`Sequences`]): taking an element
//! off costs O(1), putting one on O(1) or a copy. To find the line empty is the same read whoever
//! finds it so, and changes nothing.

use super::understand::{Answer, object};
use crate::heap::{End, Sequences};
use crate::info::{ModelInfo, operation, option};
use crate::{Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};
use std::sync::Arc;

/// The queue.
pub const QUEUE_INFO: ModelInfo = ModelInfo {
    name: "queue",
    aliases: &["fifo", "fifo-queue"],
    summary: "First in, first out.",
    operations: &[
        operation("enqueue", &["enq", "add", "offer", "push", "put", "send", "insert"], "element", "–"),
        operation(
            "dequeue",
            &["deq", "remove", "poll", "pop", "take", "get", "receive", "recv"],
            "–",
            "element or empty",
        ),
        operation("peek", &["front", "head", "first"], "–", "element or empty"),
    ],
    options: &[option("initial", "[]", "the elements in it at first, the front one first")],
};

/// The deque.
pub const DEQUE_INFO: ModelInfo = ModelInfo {
    name: "deque",
    aliases: &["double-ended-queue"],
    summary: "Elements join and leave at both ends.",
    operations: &[
        operation("push_front", &["add_first", "addFirst", "appendleft", "push_left"], "element", "–"),
        operation("push_back", &["add_last", "addLast", "append", "push_right"], "element", "–"),
        operation(
            "pop_front",
            &["poll_first", "pollFirst", "popleft", "pop_left", "remove_first"],
            "–",
            "element or empty",
        ),
        operation("pop_back", &["poll_last", "pollLast", "pop", "pop_right", "remove_last"], "–", "element or empty"),
        operation("peek_front", &["peek_first", "peekFirst", "peek_left"], "–", "element or empty"),
        operation("peek_back", &["peek_last", "peekLast", "peek_right"], "–", "element or empty"),
    ],
    options: &[option("initial", "[]", "the elements in it at first, the front one first")],
};

/// A queue or a deque.
#[derive(Clone, Debug)]
pub struct Line {
    info: &'static ModelInfo,
    initial: Arc<[u32]>,
    heap: Sequences,
}

/// What a line can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Put the element at this end.
    Push(End, ValueId),
    /// Take the element at this end off; never "empty", which is a peek.
    Pop(End, Answer),
    /// Look at the element at this end.
    Peek(End, Answer),
}

impl Line {
    /// A queue that holds `initial`, the front element first.
    pub fn queue(initial: &[ValueId]) -> Self {
        Line { info: &QUEUE_INFO, initial: ids(initial), heap: Sequences::default() }
    }

    /// A deque that holds `initial`, the front element first.
    pub fn deque(initial: &[ValueId]) -> Self {
        Line { info: &DEQUE_INFO, initial: ids(initial), heap: Sequences::default() }
    }
}

/// The elements as the heaps store them.
pub(super) fn ids(elements: &[ValueId]) -> Arc<[u32]> {
    elements.iter().map(|element| element.0).collect()
}

/// `[1,2]`: elements in words.
pub(super) fn show_all(elements: impl Iterator<Item = u32>, values: &Values) -> String {
    format!("[{}]", elements.map(|id| values.show(ValueId(id))).collect::<Vec<_>>().join(","))
}

fn pop(end: End, answer: Answer) -> Call {
    if answer == Answer::Empty { peek(end, answer) } else { Call::Pop(end, answer) }
}

fn peek(end: End, answer: Answer) -> Call {
    let either = matches!(answer, Answer::Empty | Answer::Unknown);
    Call::Peek(if either { End::Front } else { end }, answer)
}

impl Object for Line {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let call = match self.info.resolve(op)? {
            "enqueue" | "push_back" => Call::Push(End::Back, op.value),
            "push_front" => Call::Push(End::Front, op.value),
            "dequeue" | "pop_front" => pop(End::Front, Answer::of(op)),
            "pop_back" => pop(End::Back, Answer::of(op)),
            "peek" | "peek_front" => peek(End::Front, Answer::of(op)),
            "peek_back" => peek(End::Back, Answer::of(op)),
            name => unreachable!("a {} has no {name}", self.info.name),
        };
        Ok(Request { reach: Reach::Cell(object(op)), call })
    }

    fn initial(&mut self, _: ValueId) -> State {
        self.heap.intern(&self.initial)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match *call {
            Call::Push(end, element) => next.push(self.heap.push(state, end, element.0)),
            Call::Pop(end, answer) if answer.allows(self.heap.end(state, end)) => next.push(self.heap.pop(state, end)),
            Call::Peek(end, answer) if answer.allows(self.heap.end(state, end)) => next.push(state),
            Call::Pop(..) | Call::Peek(..) => {}
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        matches!(call, Call::Peek(..))
    }

    fn show(&self, state: State, values: &Values) -> String {
        show_all(self.heap.get(state).iter().copied(), values)
    }

    fn hold(&self, state: State) -> Held {
        Held::Values(self.heap.get(state).iter().map(|&id| ValueId(id)).collect())
    }

    fn adopt(&mut self, held: &Held) -> State {
        self.heap.intern(&ids(held.values()))
    }

    fn shape(&self) -> Shape {
        if self.info.name == QUEUE_INFO.name { Shape::Queue } else { Shape::Deque }
    }

    fn at_back(&self, call: &Call) -> bool {
        matches!(call, Call::Push(End::Back, _) | Call::Pop(End::Back, _) | Call::Peek(End::Back, _))
    }

    fn role(&self, call: &Call) -> Role {
        match *call {
            Call::Push(_, element) => Role::Add(element.0),
            Call::Pop(_, answer) => answer.as_removal(),
            Call::Peek(_, answer) => answer.as_look(),
        }
    }

    fn contents(&self, _: ValueId) -> Vec<u32> {
        self.initial.to_vec()
    }

    fn width(&self) -> u32 {
        32
    }

    fn bytes(&self) -> usize {
        self.heap.bytes()
    }
}
