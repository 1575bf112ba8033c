//! Which model judges the stream? A shipped one by its name, or any other that finds the cells of an operation and compiles a window.

use linpoint_base::Control;
use linpoint_history::{History, Renamed, ValueId, Values};
use linpoint_spec::{Carried, Model, ModelError, OpView, Options, Part, Reach, Refusal, Route};
use std::sync::Arc;

/// A model, as a monitor needs it.
pub trait Source: Send {
    /// The cells of an operation, if the model has it.
    fn route(&mut self, op: &OpView<'_>) -> Result<Reach, Refusal>;

    /// The parts of a window, some of whose cells hold something.
    fn compile(
        &mut self,
        history: &History,
        values: &Arc<Values>,
        carried: &[Carried<'_>],
        control: &Control,
    ) -> Result<Vec<Part>, ModelError>;

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
    fn route(&mut self, op: &OpView<'_>) -> Result<Reach, Refusal> {
        self.routed += 1;
        if self.routed >= NOTED {
            self.routed = 0;
            self.router.forget();
        }
        self.router.route(op)
    }

    fn compile(
        &mut self,
        history: &History,
        values: &Arc<Values>,
        carried: &[Carried<'_>],
        control: &Control,
    ) -> Result<Vec<Part>, ModelError> {
        model(&self.name, &self.options).compile_from(history, values, true, carried, control)
    }

    fn roots(&self) -> Vec<ValueId> {
        self.options.iter().map(|option| option.1).collect()
    }

    fn rename(&mut self, renamed: &Renamed, values: &Values) {
        self.options.iter_mut().for_each(|option| renamed.rename(&mut option.1));
        self.router = model(&self.name, &self.options).router(values).expect("the options were fine before");
    }
}
