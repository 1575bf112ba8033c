//! A semaphore: permits that are taken and given back.
//!
//! A state is the number of permits left ([`Numbers`]). A `try_acquire` that answers false found
//! too few: a read. To take or give none is a read as well, whatever the name.

use super::understand::{amount, needs, object, truth};
use crate::heap::Numbers;
use crate::info::{ModelInfo, operation, option};
use crate::{Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};

/// The semaphore.
pub const INFO: ModelInfo = ModelInfo {
    name: "semaphore",
    aliases: &["counting-semaphore"],
    summary: "Permits that are taken and given back.",
    operations: &[
        operation("acquire", &["wait", "p", "down"], "how many (null = 1)", "– (legal only with enough permits)"),
        operation(
            "release",
            &["signal", "v", "up", "post"],
            "how many (null = 1)",
            "– (with `bounded=true` illegal beyond `permits`)",
        ),
        operation("try_acquire", &["try_wait", "tryAcquire"], "how many (null = 1)", "bool"),
    ],
    options: &[
        option("permits", "1", "how many permits there are at first"),
        option("bounded", "false", "may there never be more than at first?"),
    ],
};

/// A semaphore.
#[derive(Clone, Debug)]
pub struct Semaphore {
    permits: i128,
    bounded: bool,
    numbers: Numbers,
}

/// What a semaphore can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// There are at least so many; they are taken.
    Take(i128),
    /// So many are given back.
    Give(i128),
    /// There are fewer than that.
    Lack(i128),
    /// So many are taken if there are enough; it is not known whether there were.
    TryTake(i128),
}

impl Semaphore {
    /// A semaphore with `permits`, which it may never exceed if it is `bounded`.
    pub fn new(permits: i128, bounded: bool) -> Self {
        Semaphore { permits, bounded, numbers: Numbers::default() }
    }
}

impl Object for Semaphore {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let name = INFO.resolve(op)?;
        let many = amount(op, name)?;
        if many < 0 {
            return Err(needs(op, name, "a number of permits of at least 0", op.value));
        }
        let call = match name {
            "acquire" => Call::Take(many),
            "release" if many == 0 => Call::Take(0),
            "release" => Call::Give(many),
            "try_acquire" => match truth(op, name)? {
                Some(true) => Call::Take(many),
                Some(false) => Call::Lack(many),
                None if many == 0 => Call::Take(0),
                None => Call::TryTake(many),
            },
            name => unreachable!("a semaphore has no {name}"),
        };
        Ok(Request { reach: Reach::Cell(object(op)), call })
    }

    fn initial(&mut self, _: ValueId) -> State {
        self.numbers.intern(self.permits)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        let left = self.numbers.get(state);
        let after = match *call {
            Call::Take(many) if many <= left => left - many,
            Call::Give(many) if !self.bounded || left + many <= self.permits => left + many,
            Call::Lack(many) if left < many => left,
            Call::TryTake(many) => {
                if many <= left {
                    left - many
                } else {
                    left
                }
            }
            Call::Take(_) | Call::Give(_) | Call::Lack(_) => return,
        };
        next.push(self.numbers.intern(after));
    }

    fn read_only(&self, call: &Call) -> bool {
        matches!(call, Call::Take(0) | Call::Lack(_))
    }

    fn show(&self, state: State, _: &Values) -> String {
        self.numbers.get(state).to_string()
    }

    fn hold(&self, state: State) -> Held {
        Held::Number(self.numbers.get(state))
    }

    fn adopt(&mut self, held: &Held) -> State {
        let Held::Number(number) = held else { unreachable!("a semaphore holds a number") };
        self.numbers.intern(*number)
    }

    fn shape(&self) -> Shape {
        if self.bounded && self.permits == 2 { Shape::Permits } else { Shape::Other }
    }

    fn role(&self, call: &Call) -> Role {
        match (self.shape(), call) {
            (Shape::Permits, Call::Take(0)) => Role::Nothing,
            (Shape::Permits, Call::Take(1)) => Role::Add(0),
            (Shape::Permits, Call::Give(1)) => Role::Remove(0),
            _ => Role::Other,
        }
    }

    fn bytes(&self) -> usize {
        self.numbers.bytes()
    }
}
