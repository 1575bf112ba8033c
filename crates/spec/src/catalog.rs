//! The shipped models by name: what each is for, its operations, its options.
//!
//! [`all`] is the one list: the command line prints it, [`Model::compile`] finds models in it, and
//! [`guess`] chooses from it. `docs/reference/models.md` says the same in prose; a test compares them.

mod guess;
mod nearest;

pub use guess::{Guess, guess};
pub(crate) use nearest::{did_you_mean, nearest};

use crate::compile::{Misfit, Part, compile_from};
use crate::info::ModelInfo;
use crate::objects::multiset::{Multiset, Order};
use crate::objects::{
    append_list, array, counter, kv, line, map, multi_register, multiset, mutex, register, semaphore, set, stack,
};
use crate::{Carried, Object, OpView, Options, Reach, Refusal};
use linpoint_base::{Cause, Control};
use linpoint_history::{History, ValueId, Values};
use std::fmt;
use std::sync::Arc;

/// In the order of the documentation, which is also the order in which a guess prefers them.
static ALL: [ModelInfo; 17] = [
    register::INFO,
    register::CAS_INFO,
    multi_register::INFO,
    kv::INFO,
    append_list::INFO,
    map::INFO,
    set::INFO,
    array::INFO,
    counter::INFO,
    mutex::INFO,
    semaphore::INFO,
    line::QUEUE_INFO,
    stack::INFO,
    stack::HEIGHT_INFO,
    line::DEQUE_INFO,
    multiset::PRIORITY_INFO,
    multiset::BAG_INFO,
];

/// All shipped models.
pub fn all() -> &'static [ModelInfo] {
    &ALL
}

/// A model by its name or an alias; upper case, `-`, `_` and spaces make no difference.
pub fn find(name: &str) -> Result<&'static ModelInfo, String> {
    let plain = squash(name);
    let is_meant = |known: &&str| squash(known) == plain;
    let found = all().iter().find(|model| is_meant(&model.name) || model.aliases.iter().any(is_meant));
    found.ok_or_else(|| {
        let names: Vec<&str> = all().iter().map(|model| model.name).collect();
        let also: Vec<&str> = all().iter().flat_map(|model| model.aliases).copied().collect();
        let hint = match nearest(&name.to_lowercase(), &[&names[..], &also].concat()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", names.join(", ")),
        };
        format!("there is no model '{}'; {hint}", name.escape_debug())
    })
}

/// A name without what makes no difference.
fn squash(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Why a model cannot be used on a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// There is no such model, or an option is wrong.
    Usage(String),
    /// The model does not have one of the history's operations.
    Misfit(Misfit),
    /// The budget was used up before all operations were looked at.
    Stopped(Cause),
}

impl From<Misfit> for ModelError {
    fn from(misfit: Misfit) -> Self {
        ModelError::Misfit(misfit)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Usage(message) => f.write_str(message),
            ModelError::Misfit(misfit) => misfit.fmt(f),
            ModelError::Stopped(cause) => write!(f, "stopped: {cause:?}"),
        }
    }
}

impl std::error::Error for ModelError {}

/// A model by name with its options.
pub struct Model {
    /// The name, or an alias.
    pub name: String,
    /// The options, interned in the table that [`Model::compile`] is given.
    pub options: Options,
}

impl Model {
    /// Turns a history into parts to be judged by this model, however long it takes.
    pub fn compile(self, history: &History, values: &Arc<Values>, partition: bool) -> Result<Vec<Part>, ModelError> {
        self.compile_within(history, values, partition, &Control::new(None, usize::MAX))
    }

    /// The same within a budget of time.
    pub fn compile_within(
        self,
        history: &History,
        values: &Arc<Values>,
        partition: bool,
        control: &Control,
    ) -> Result<Vec<Part>, ModelError> {
        self.compile_from(history, values, partition, &[], control)
    }

    /// The same where some cells were judged before and hold something.
    pub fn compile_from(
        self,
        history: &History,
        values: &Arc<Values>,
        partition: bool,
        carried: &[Carried<'_>],
        control: &Control,
    ) -> Result<Vec<Part>, ModelError> {
        struct Compile<'a>(&'a History, &'a Arc<Values>, bool, &'a [Carried<'a>], &'a Control);
        impl Visitor for Compile<'_> {
            type Output = Result<Vec<Part>, ModelError>;

            fn visit<O: Object>(self, object: O) -> Self::Output {
                compile_from(object, self.0, self.1, self.2, self.3, self.4)
            }
        }
        let model = find(&self.name).map_err(ModelError::Usage)?;
        let compile = Compile(history, values, partition, carried, control);
        build(model, self.options, values, compile).map_err(ModelError::Usage)?
    }

    /// What finds the cells of an operation before its history is there.
    pub fn router(self, values: &Values) -> Result<Box<dyn Route>, ModelError> {
        struct Make;
        impl Visitor for Make {
            type Output = Box<dyn Route>;

            fn visit<O: Object>(self, object: O) -> Self::Output {
                Box::new(Router { fresh: object.clone(), object })
            }
        }
        let model = find(&self.name).map_err(ModelError::Usage)?;
        build(model, self.options, values, Make).map_err(ModelError::Usage)
    }
}

/// Finds the cells of operations, one by one.
pub trait Route: Send {
    /// The cells of an operation, if the model has it.
    fn route(&mut self, op: &OpView<'_>) -> Result<Reach, Refusal>;

    /// Forgets what the model noted of the operations so far.
    fn forget(&mut self);
}

struct Router<O> {
    fresh: O,
    object: O,
}

impl<O: Object> Route for Router<O> {
    fn route(&mut self, op: &OpView<'_>) -> Result<Reach, Refusal> {
        self.object.decode(op).map(|request| request.reach)
    }

    fn forget(&mut self) {
        self.object = self.fresh.clone();
    }
}

/// Something to do with an object, whatever its type.
trait Visitor {
    type Output;

    fn visit<O: Object>(self, object: O) -> Self::Output;
}

/// Makes the object of a model and hands it to the visitor; an error when an option is wrong.
fn build<V: Visitor>(
    model: &'static ModelInfo,
    mut given: Options,
    values: &Values,
    visitor: V,
) -> Result<V::Output, String> {
    let options = &mut given;
    macro_rules! with {
        ($object:expr) => {{
            let object = $object;
            given.finish(model)?;
            Ok(visitor.visit(object))
        }};
    }
    let initial = |options: &mut Options| options.take("initial").unwrap_or(ValueId::NULL);
    match model.name {
        "register" => with!(register::register(initial(options), false)),
        "cas-register" => with!(register::register(initial(options), true)),
        "multi-register" => with!(multi_register::MultiRegister::new(initial(options), values)),
        "kv" => with!(kv::Kv::new(options.take_text("initial", values)?.unwrap_or(""))),
        "append-list" => with!(append_list::AppendList::default()),
        "map" => with!(map::Map::default()),
        "set" => with!(set::Set::new(options.take_list("initial", values)?)),
        "array" => with!(array::array(initial(options))),
        "counter" => with!(counter::Counter::new(options.take_whole("initial", values, None)?.unwrap_or(0))),
        "mutex" => with!(mutex::Mutex),
        "semaphore" => with!({
            let permits = options.take_whole("permits", values, Some(0))?.unwrap_or(1);
            semaphore::Semaphore::new(permits, options.take_bool("bounded", values)?.unwrap_or(false))
        }),
        "queue" => with!(line::Line::queue(&options.take_list("initial", values)?)),
        "stack" => with!(stack::Stack::new(&options.take_list("initial", values)?)),
        "height-stack" => with!(stack::Stack::with_heights()),
        "deque" => with!(line::Line::deque(&options.take_list("initial", values)?)),
        "priority-queue" => with!({
            let order = options.take_word("order", &["max", "min"], values)?;
            let order = if order == "min" { Order::Min } else { Order::Max };
            Multiset::priority_queue(order, options.take_list("initial", values)?)
        }),
        "bag" => with!(Multiset::bag(options.take_list("initial", values)?)),
        name => unreachable!("{name} is in the catalog, so it is built here"),
    }
}
