//! Which object is meant? One file per model, each written from `docs/reference/models.md`.

mod append_list;
mod array;
mod bag;
mod counter;
mod deque;
mod height_stack;
mod kv;
mod map;
mod multi_register;
mod mutex;
mod priority_queue;
mod queue;
mod register;
mod semaphore;
mod set;
mod stack;

use crate::run::run;
use crate::sequential::{Options, Sequential};
use crate::{Judgement, Model};
use linpoint_base::Control;
use linpoint_history::History;

/// (c) for the model of this name.
pub(crate) fn replay(
    history: &History,
    model: &Model<'_>,
    witness: &[u32],
    threads: usize,
    control: &Control,
) -> Judgement {
    let options = Options { given: model.options, values: model.values };
    let through = Through { history, model, witness, threads, control };
    match model.name {
        "register" => through.run(register::Register::new(&options)),
        "cas-register" => through.run(register::CasRegister::new(&options)),
        "multi-register" => through.run(multi_register::MultiRegister::new(&options)),
        "kv" => through.run(kv::Kv::new(&options)),
        "append-list" => through.run(Some(append_list::AppendList::default())),
        "map" => through.run(Some(map::Map::default())),
        "set" => through.run(set::Set::new(&options)),
        "array" => through.run(Some(array::Array::new(&options))),
        "counter" => through.run(counter::Counter::new(&options)),
        "mutex" => through.run(Some(mutex::Mutex::default())),
        "semaphore" => through.run(semaphore::Semaphore::new(&options)),
        "queue" => through.run(queue::Queue::new(&options)),
        "stack" => through.run(stack::Stack::new(&options)),
        "height-stack" => through.run(Some(height_stack::HeightStack::default())),
        "deque" => through.run(deque::Deque::new(&options)),
        "priority-queue" => through.run(priority_queue::PriorityQueue::new(&options)),
        "bag" => through.run(bag::Bag::new(&options)),
        _ => Judgement::CannotTell,
    }
}

/// What an object is run through.
struct Through<'a> {
    history: &'a History,
    model: &'a Model<'a>,
    witness: &'a [u32],
    threads: usize,
    control: &'a Control,
}

impl Through<'_> {
    /// Runs objects like this one; None: the options are none that the reference describes.
    fn run<S: Sequential>(&self, first: Option<S>) -> Judgement {
        let Some(first) = first else { return Judgement::CannotTell };
        run(&first, self.history, self.model.values, self.witness, self.threads, self.control)
    }
}
