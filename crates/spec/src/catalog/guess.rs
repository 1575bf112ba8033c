//! Which model fits the operations of a history?
//!
//! If the source names its object, that settles it. Otherwise a candidate must have every operation by name and accept every one
//! of them: arguments, results and all. A history may tell more by its shape than by its names: a `remove` with an argument is a
//! set's, without one it is a queue's, so models for which some arguments are missing or too many are no candidates if
//! there are others. A name that everybody reads as one object settles it, too: `enqueue` is a queue's, `pop` a stack's.
//!
//! What is left is a guess and its *rivals*: `add` and `remove` may be a queue's, a stack's, a bag's or a priority queue's. Whoever
//! judges the history must judge it by each of them, and has no verdict where they differ. A rival that means the same by all of
//! these operations is none: a register is a CAS register without `cas`. O(operations × candidates).

use super::{Visitor, all, build, find, squash};
use crate::compile::{Misfit, misfit};
use crate::info::{ModelInfo, example, join};
use crate::{Object, OpView, Options};
use hashbrown::HashSet;
use linpoint_history::read::is_alike;
use linpoint_history::{History, Status, ValueId};

/// A model that fits, and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The name of the model.
    pub model: &'static str,
    /// Why this one, in words.
    pub why: String,
    /// The other models that it may be just as well, and that may come to another verdict; best suited first.
    pub rivals: Vec<&'static str>,
}

/// The names that each model's operations usually go by: the model with most of them is named first.
const USUAL: [(&str, &str); 17] = [
    ("register", "read write load store set"),
    (
        "cas-register",
        "read write load store set cas compare_and_set compareAndSet compare-and-set compare_and_swap swap \
         get_and_set getAndSet exchange",
    ),
    ("multi-register", "txn transaction"),
    ("kv", "get put append"),
    ("append-list", "append read r txn"),
    (
        "map",
        "get put lookup get_and_put getAndPut put_if_absent putIfAbsent put-if-absent remove replace replace_if \
         remove_if contains containsKey contains_key size",
    ),
    ("set", "add remove insert delete discard contains member has read size"),
    ("array", "read write load store cas compare_and_set compareAndSet compare-and-set compare_and_swap"),
    (
        "counter",
        "add increment inc incr sub decrement dec decr subtract fetch_add get_and_add getAndAdd fetch-and-add \
         add_and_get addAndGet add-and-get read value",
    ),
    ("mutex", "acquire release lock unlock try_lock tryLock try_acquire tryAcquire"),
    ("semaphore", "acquire release wait signal p v up down post try_acquire tryAcquire try_wait"),
    ("queue", "enq enqueue deq dequeue offer poll send receive recv front head add remove take"),
    ("stack", "push pop top"),
    ("height-stack", "push pop add remove"),
    (
        "deque",
        "push_front push_back pop_front pop_back peek_front peek_back add_first addFirst add_last addLast \
         poll_first pollFirst poll_last pollLast appendleft popleft",
    ),
    ("priority-queue", "insert poll delete_max delete_min extract max min find_max find_min"),
    ("bag", "add take remove_value"),
];

/// Guesses the model of a history, or says why that cannot be done.
pub fn guess(history: &History) -> Result<Guess, String> {
    if let Some(object) = &history.object
        && let Some(model) = named(object)
    {
        let why = format!("the history calls its object {object:?}");
        return match fit(model, history) {
            None => Ok(Guess { model: model.name, why, rivals: Vec::new() }),
            Some(misfit) => {
                Err(format!("{why}, but not all its operations are those of {}: {misfit}", model.indefinite()))
            }
        };
    }
    let names = operation_names(history);
    if names.is_empty() {
        return Err("no operation took place, so nothing tells the model: name one".into());
    }
    let mut candidates = having(&names, ModelInfo::operation_called);
    if candidates.is_empty() {
        candidates = having(&names, ModelInfo::operation);
    }
    if candidates.is_empty() {
        return Err(no_model_has(&names));
    }
    let mut misfits = Vec::new();
    let mut fits: Vec<(bool, usize, &'static ModelInfo)> = Vec::new();
    for model in candidates {
        match fit(model, history) {
            Some(misfit) => misfits.push((model, misfit)),
            None => fits.push((has_right_shape(model, history), usual(model, &names), model)),
        }
    }
    // A stable sort: equals stay in the order of the catalog.
    fits.sort_by_key(|&(right_shape, usual, _)| (std::cmp::Reverse(right_shape), std::cmp::Reverse(usual)));
    let best = fits.first().is_some_and(|fit| fit.0);
    let candidates: Vec<&'static ModelInfo> = fits.iter().filter(|fit| fit.0 == best).map(|fit| fit.2).collect();
    let telling: Vec<&'static ModelInfo> =
        candidates.iter().filter(|model| tells(model, &names, history)).copied().collect();
    let (model, others) = match (&telling[..], &candidates[..]) {
        (_, []) => return Err(no_model_fits(&names, &misfits)),
        ([only], _) => (*only, &[][..]),
        (_, [first, others @ ..]) => (*first, others),
    };
    let rivals: Vec<&str> = others.iter().filter(|o| !same(model, o, &names)).map(|other| other.name).collect();
    let only = if fits.len() == 1 { "only " } else { "" };
    let why = format!("{only}{} has {} in this form", model.indefinite(), join(&names, "and"));
    Ok(Guess { model: model.name, why, rivals })
}

/// The models that have all these names.
fn having(
    names: &[&str],
    operation: impl Fn(&ModelInfo, &str) -> Option<&'static crate::info::Operation>,
) -> Vec<&'static ModelInfo> {
    all().iter().filter(|model| names.iter().all(|name| operation(model, name).is_some())).collect()
}

/// Names that everybody reads as operations of this model.
const TELLING: [(&str, &str); 8] = [
    ("kv", "append"),
    ("counter", "increment inc incr decrement dec decr"),
    ("mutex", "lock unlock try_lock tryLock"),
    ("semaphore", "wait signal p v up down post try_wait"),
    ("queue", "enq enqueue deq dequeue"),
    ("stack", "push pop top"),
    ("priority-queue", "delete_max delete_min extract find_max find_min"),
    ("bag", "remove_value"),
];

/// Does one of the names, or a height that was recorded, say that it is this model?
fn tells(model: &ModelInfo, names: &[&str], history: &History) -> bool {
    // The decoder of a stack with heights insists on them, so one completed push says more than the names.
    let is_push =
        |(_, op): (usize, OpView<'_>)| op.result.is_some() && ["push", "add"].iter().any(|name| is_alike(name, op.f));
    let with_heights = || {
        let heights = find("height-stack").ok().filter(|_| views(history).any(is_push));
        heights
            .is_some_and(|info| names.iter().all(|name| info.operation(name).is_some()) && fit(info, history).is_none())
    };
    match model.name {
        "height-stack" => views(history).any(is_push),
        "stack" if with_heights() => false,
        name => {
            let telling = TELLING.iter().find(|(model, _)| *model == name).map_or("", |(_, words)| words);
            names.iter().any(|name| telling.split_whitespace().any(|word| is_alike(word, name)))
        }
    }
}

/// Do both models mean the same by all of these operations?
fn same(one: &ModelInfo, other: &ModelInfo, names: &[&str]) -> bool {
    const CELLS: [&str; 5] = ["register", "cas-register", "array", "multi-register", "map"];
    let cell = |model: &ModelInfo, name: &str| {
        let own = model.operation(name).map_or("", |operation| operation.name);
        match model.name {
            "map" => matches!(own, "get" | "put"),
            _ => matches!(own, "read" | "write" | "cas"),
        }
    };
    let cells = |model: &ModelInfo| CELLS.contains(&model.name) && names.iter().all(|name| cell(model, name));
    cells(one) && cells(other)
}

/// The model that the name of an object means: `atomic-queue`, `java.util.concurrent.ConcurrentSkipListSet`.
fn named(object: &str) -> Option<&'static ModelInfo> {
    let class = object.rsplit(['.', ':', '/', '$']).next().unwrap_or(object);
    if let Ok(model) = find(class) {
        return Some(model);
    }
    let plain = squash(class);
    if plain.contains("priority") {
        return find("priority-queue").ok();
    }
    let known = all().iter().filter(|model| plain.ends_with(&squash(model.name)));
    let longest = known.max_by_key(|model| model.name.len());
    longest.or_else(|| plain.ends_with("lock").then(|| find("mutex").ok()).flatten())
}

/// The first operation that the model, with its options left alone, does not have.
fn fit(model: &'static ModelInfo, history: &History) -> Option<Misfit> {
    struct Fit<'a>(&'a History);
    impl Visitor for Fit<'_> {
        type Output = Option<Misfit>;

        fn visit<O: Object>(self, mut object: O) -> Self::Output {
            let refused = |(i, op)| Some(misfit(i, &op, object.decode(&op).err()?));
            views(self.0).find_map(refused)
        }
    }
    build(model, Options::default(), &history.values, Fit(history)).unwrap_or_default()
}

/// The operations that took effect or may have, with their numbers.
fn views(history: &History) -> impl Iterator<Item = (usize, OpView<'_>)> {
    (0..history.len())
        .filter(|&i| history.status[i] != Status::Fail)
        .map(|i| (i, OpView::of(history, i, &history.values)))
}

/// The distinct names, in the order in which they first appear.
fn operation_names(history: &History) -> Vec<&str> {
    let mut seen: HashSet<ValueId> = HashSet::new();
    let mut names = Vec::new();
    for (i, op) in views(history) {
        if seen.insert(history.f[i]) {
            names.push(op.f);
        }
    }
    names
}

/// Has every operation an argument where the model asks for one, and none where it does not?
fn has_right_shape(model: &ModelInfo, history: &History) -> bool {
    views(history).all(|(_, op)| {
        let argument = model.operation(op.f).map_or("", |operation| operation.value);
        let missing = op.value == ValueId::NULL && op.key.is_none();
        match argument {
            "–" => op.value == ValueId::NULL,
            _ => !missing || argument.contains("null = 1"),
        }
    })
}

/// How many of the names are usual for the model.
fn usual(model: &ModelInfo, names: &[&str]) -> usize {
    let usual = USUAL.iter().find(|(name, _)| *name == model.name).map_or("", |(_, usual)| usual);
    names.iter().filter(|name| usual.split_whitespace().any(|usual| is_alike(usual, name))).count()
}

fn no_model_has(names: &[&str]) -> String {
    let unknown = |name: &&&str| all().iter().all(|model| model.operation(name).is_none());
    let unknown: Vec<&str> = names.iter().filter(unknown).copied().collect();
    match unknown[..] {
        [] => format!("no model has all of {}: name the model", join(names, "and")),
        _ => {
            let are = match unknown[..] {
                [_] => "it is another name for an operation",
                _ => "they are other names for operations",
            };
            let example = example(&unknown, &all().iter().collect::<Vec<_>>());
            let unknown = join(&unknown, "or");
            format!(
                "no model has {unknown}. If {are} that a model has, say so: {example} (`linpoint models` lists them)"
            )
        }
    }
}

fn no_model_fits(names: &[&str], misfits: &[(&ModelInfo, Misfit)]) -> String {
    let reasons: Vec<String> =
        misfits.iter().map(|(model, misfit)| format!("not {}: {misfit}", model.indefinite())).collect();
    format!("no model has {} in this form; {}", join(names, "and"), reasons.join("; "))
}
