//! A mutex: acquired when free, released when held; who does it is not asked.
//!
//! A state is one bit: is it held? A `try_acquire` that answers false found it held: a read.

use super::cell::{Call, Test};
use super::understand::{object, truth};
use crate::info::{ModelInfo, operation};
use crate::{Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};

/// The mutex.
pub const INFO: ModelInfo = ModelInfo {
    name: "mutex",
    aliases: &["lock", "spinlock"],
    summary: "A lock that one caller at a time can hold.",
    operations: &[
        operation("acquire", &["lock"], "–", "– (legal only when free)"),
        operation("release", &["unlock"], "–", "– (legal only when held)"),
        operation("try_acquire", &["try_lock", "tryLock", "tryAcquire"], "–", "bool"),
    ],
    options: &[],
};

/// A lock, free at first.
#[derive(Clone, Debug, Default)]
pub struct Mutex;

const FREE: u32 = 0;
const HELD: u32 = 1;

impl Object for Mutex {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let call = match INFO.resolve(op)? {
            "acquire" => Call::put(Test::Is(FREE), HELD),
            "release" => Call::put(Test::Is(HELD), FREE),
            "try_acquire" => match truth(op, "try_acquire")? {
                Some(false) => Call::Check(Test::Is(HELD)),
                Some(true) => Call::put(Test::Is(FREE), HELD),
                None => Call::put(Test::Any, HELD), // got it or found it held: held it is
            },
            name => unreachable!("a mutex has no {name}"),
        };
        Ok(Request { reach: Reach::Cell(object(op)), call })
    }

    fn initial(&mut self, _: ValueId) -> State {
        u64::from(FREE)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        call.step(state, next);
    }

    fn read_only(&self, call: &Call) -> bool {
        call.read_only()
    }

    fn show(&self, state: State, _: &Values) -> String {
        if state == u64::from(HELD) { "held" } else { "free" }.into()
    }

    fn hold(&self, state: State) -> Held {
        Held::Bit(state == u64::from(HELD))
    }

    fn adopt(&mut self, held: &Held) -> State {
        u64::from(*held == Held::Bit(true))
    }

    fn shape(&self) -> Shape {
        Shape::Mutex
    }

    fn role(&self, call: &Call) -> Role {
        call.role()
    }

    fn contents(&self, _: ValueId) -> Vec<u32> {
        vec![FREE]
    }

    fn width(&self) -> u32 {
        1
    }
}
