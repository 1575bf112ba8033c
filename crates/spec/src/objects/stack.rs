//! A stack: last in, first out; and the height-stack, whose answers also tell how high it was.
//!
//! A state is the number of a hash-consed list ([`Lists`]), so a step is O(1) however high the stack.
//!
//! The height-stack is example 9 of Horn & Kroening (FORTE 2015). They propose to split
//! its histories by height; we do not, because that is not sound. Client 1: `push(b) → 1` returns;
//! then client 2 calls `push(a) → 0`. Level 0 sees one push, level 1 sees one push, both fine alone; but
//! nothing was below `b` when it was pushed.

use super::line::{ids, show_all};
use super::understand::{Answer, count, needs, object};
use crate::heap::{Lists, whole};
use crate::info::{ModelInfo, operation, option};
use crate::{Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};
use std::sync::Arc;

/// The stack.
pub const INFO: ModelInfo = ModelInfo {
    name: "stack",
    aliases: &["lifo"],
    summary: "Last in, first out.",
    operations: &[
        operation("push", &["add", "put", "insert"], "element", "–"),
        operation("pop", &["remove", "poll", "take", "get"], "–", "element or empty"),
        operation("peek", &["top"], "–", "element or empty"),
    ],
    options: &[option("initial", "[]", "the elements in it at first, the bottom one first")],
};

/// The stack that tells its height.
pub const HEIGHT_INFO: ModelInfo = ModelInfo {
    name: "height-stack",
    aliases: &[],
    summary: "A stack whose answers tell how high it was (Horn & Kroening 2015, example 9).",
    operations: &[
        operation("push", &["add"], "element", "the height before"),
        operation("pop", &["remove"], "–", "[height before, element]; 0 or [0, null] if empty"),
    ],
    options: &[],
};

/// A stack or a height-stack.
#[derive(Clone, Debug)]
pub struct Stack {
    info: &'static ModelInfo,
    /// Do its answers tell the height?
    heights: bool,
    initial: Arc<[u32]>,
    heap: Lists,
}

/// What a stack can be asked. Heights are those before; None when they are unknown or not told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Put the element on top.
    Push(ValueId, Option<u32>),
    /// Take the top element off; never "empty", which is a peek.
    Pop(Answer, Option<u32>),
    /// Look at the top element.
    Peek(Answer),
}

impl Stack {
    /// A stack that holds `initial`, the bottom element first.
    pub fn new(initial: &[ValueId]) -> Self {
        Stack { info: &INFO, heights: false, initial: ids(initial), heap: Lists::default() }
    }

    /// An empty stack that tells its height.
    pub fn with_heights() -> Self {
        Stack { info: &HEIGHT_INFO, heights: true, initial: Arc::new([]), heap: Lists::default() }
    }
}

fn pop(answer: Answer, height: Option<u32>) -> Call {
    if answer == Answer::Empty { Call::Peek(answer) } else { Call::Pop(answer, height) }
}

/// A number as a height; one that no stack has stays one.
fn as_height(number: i128) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What a height-stack's pop found: `[height, element]`, or that it was empty.
fn pop_with_height(op: &OpView<'_>) -> Result<Call, Refusal> {
    let result = match (Answer::of(op), op.result) {
        (Answer::Element(_), Some(result)) => result,
        (answer, _) => return Ok(pop(answer, None)),
    };
    if let Some(&[height, element]) = op.values.as_list(result)
        && let Some(height) = whole(op.values, height)
    {
        let empty = height == 0 && element == ValueId::NULL;
        return Ok(if empty {
            pop(Answer::Empty, None)
        } else {
            pop(Answer::Element(element), Some(as_height(height)))
        });
    }
    if op.values.as_int(result) == Some(0) {
        return Ok(pop(Answer::Empty, None));
    }
    Err(needs(op, "a completed pop", "the result [height, element], or 0 if it was empty", result))
}

impl Object for Stack {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let call = match self.info.resolve(op)? {
            "push" if self.heights => Call::Push(op.value, count(op, "push")?.map(as_height)),
            "pop" if self.heights => pop_with_height(op)?,
            "push" => Call::Push(op.value, None),
            "pop" => pop(Answer::of(op), None),
            "peek" => Call::Peek(Answer::of(op)),
            name => unreachable!("a {} has no {name}", self.info.name),
        };
        Ok(Request { reach: Reach::Cell(object(op)), call })
    }

    fn initial(&mut self, _: ValueId) -> State {
        self.initial.iter().fold(Lists::EMPTY, |list, &element| self.heap.push(list, element))
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        let top = self.heap.top(state);
        let found = top.map(|(element, _)| element);
        let right = |height: Option<u32>| height.is_none_or(|height| height == self.heap.height(state));
        match *call {
            Call::Push(element, height) if right(height) => next.push(self.heap.push(state, element.0)),
            Call::Pop(answer, height) if answer.allows(found) && right(height) => {
                next.push(top.map_or(state, |(_, rest)| rest));
            }
            Call::Peek(answer) if answer.allows(found) => next.push(state),
            Call::Push(..) | Call::Pop(..) | Call::Peek(_) => {}
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        matches!(call, Call::Peek(_))
    }

    fn show(&self, state: State, values: &Values) -> String {
        show_all(self.heap.items(state).into_iter(), values)
    }

    fn hold(&self, state: State) -> Held {
        Held::Values(self.heap.items(state).into_iter().map(ValueId).collect())
    }

    fn adopt(&mut self, held: &Held) -> State {
        held.values().iter().fold(Lists::EMPTY, |list, element| self.heap.push(list, element.0))
    }

    fn shape(&self) -> Shape {
        if self.heights { Shape::Other } else { Shape::Stack }
    }

    fn role(&self, call: &Call) -> Role {
        match *call {
            Call::Push(element, _) => Role::Add(element.0),
            Call::Pop(answer, _) => answer.as_removal(),
            Call::Peek(answer) => answer.as_look(),
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
