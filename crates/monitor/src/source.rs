//! Which model judges the stream? A shipped one by its name, or any other that finds the cells of an operation and compiles a window.

use linpoint_base::{Cause, Control};
use linpoint_history::{History, Renamed, ValueId, Values};
use linpoint_spec::{Carried, Model, ModelError, OpView, Options, Part, Reach, Refusal, Route};
use std::sync::Arc;

/// An operation, as it was called, and its result once it has one. Everything is an id of the monitor's table.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Who called.
    pub process: ValueId,
    /// Its name.
    pub f: ValueId,
    /// The key or object, or [`ValueId::ABSENT`].
    pub key: ValueId,
    /// Its argument.
    pub value: ValueId,
    /// What it returned.
    pub result: Option<ValueId>,
}

/// What is to be judged at once.
pub struct Events<'a> {
    /// The operations; each is a process of its own, unless the source [asks who calls](Source::asks_who).
    pub history: &'a History,
    /// Their table.
    pub values: &'a Arc<Values>,
    /// A cell of each operation; None if it is about all.
    pub cells: &'a [Option<ValueId>],
    /// What the cells may hold, group by group.
    pub carried: &'a [Carried<'a>],
}

/// A model, as a monitor needs it.
pub trait Source: Send {
    /// The cells of an operation, if the model has it. The table takes values that name cells.
    fn route(&mut self, op: &Asked, values: &mut Arc<Values>) -> Result<Reach, Refusal>;

    /// The parts of a window, some of whose cells hold something.
    fn compile(&mut self, events: &Events<'_>, control: &Control) -> Result<Vec<Part>, ModelError>;

    /// Does the model look at who called?
    fn asks_who(&self) -> bool {
        false
    }

    /// Has the model looked, since the last [`compile`](Source::compile), at something by which operations were not told apart? Then what was
    /// found means nothing, and is to be found again.
    fn begins_anew(&mut self) -> bool {
        false
    }

    /// The budget that ended the model's own code, if one did.
    fn spent(&self) -> Option<Cause> {
        None
    }

    /// What it is called, with its options: what was saved of another one means nothing here. None if nothing can be saved.
    fn title(&self, _: &Values) -> Option<String> {
        None
    }

    /// The values that the model itself needs.
    fn roots(&self) -> Vec<ValueId>;

    /// The values have new names.
    fn rename(&mut self, renamed: &Renamed, values: &Values);
}

/// A shipped model.
pub struct Native {
    name: String,
    options: Vec<(String, ValueId)>,
    router: Box<dyn Route>,
    /// Operations routed since the router last forgot them.
    routed: usize,
}

impl Native {
    /// The model of this name; its options are values of the monitor's table.
    pub fn new(name: &str, options: Vec<(String, ValueId)>, values: &Values) -> Result<Native, ModelError> {
        let router = model(name, &options).router(values)?;
        Ok(Native { name: name.to_owned(), options, router, routed: 0 })
    }
}

fn model(name: &str, options: &[(String, ValueId)]) -> Model {
    Model { name: name.to_owned(), options: Options::new(options.to_vec()) }
}

/// A router notes what it decodes; after so many operations it begins anew.
const NOTED: usize = 4096;

impl Source for Native {
    fn route(&mut self, op: &Asked, values: &mut Arc<Values>) -> Result<Reach, Refusal> {
        let &Asked { f, key, value, result, .. } = op;
        let key = Some(key).filter(|&key| key != ValueId::ABSENT && key != ValueId::NULL);
        let f = values.as_text(f).unwrap_or_default();
        let op = OpView { f, key, value, result, values };
        self.routed += 1;
        if self.routed >= NOTED {
            self.routed = 0;
            self.router.forget();
        }
        self.router.route(&op)
    }

    fn compile(&mut self, events: &Events<'_>, control: &Control) -> Result<Vec<Part>, ModelError> {
        let &Events { history, values, carried, .. } = events;
        model(&self.name, &self.options).compile_from(history, values, true, carried, control)
    }

    fn title(&self, values: &Values) -> Option<String> {
        let options = self.options.iter().map(|(name, value)| format!("{name}={}", values.show(*value)));
        Some([self.name.clone()].into_iter().chain(options).collect::<Vec<_>>().join(", "))
    }

    fn roots(&self) -> Vec<ValueId> {
        self.options.iter().map(|option| option.1).collect()
    }

    fn rename(&mut self, renamed: &Renamed, values: &Values) {
        self.options.iter_mut().for_each(|option| renamed.rename(&mut option.1));
        self.router = model(&self.name, &self.options).router(values).expect("the options were fine before");
    }
}
