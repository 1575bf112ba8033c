//! Is the whole history allowed? Judges the parts in parallel and makes one answer of theirs.
//!
//! Parts run largest first, and the first violation settles the whole history: the other parts stop.

use crate::hitting;
use crate::locate::locate;
use crate::merge::merge;
use crate::outcome::{Answer, Evidence, Hits, Outcome, Stuck, Verdict};
use crate::settings::Settings;
use linpoint_base::{Cause, Control};
use linpoint_history::History;
use linpoint_spec::{Part, StepError};
use rayon::prelude::*;

/// Histories smaller than this are not worth a thread.
const SMALL: usize = 2000;

/// Judges the parts of a history.
pub fn judge(history: &History, parts: &[Part], settings: Settings, control: &Control) -> Outcome {
    let mut by_size: Vec<usize> = (0..parts.len()).collect();
    by_size.sort_by_key(|&part| std::cmp::Reverse(parts[part].ops.len()));
    for part in parts {
        control.expect(part.events.iter().filter(|event| event.is_return()).count());
    }
    let work = |&part: &usize| {
        let answer = judge_part(&parts[part], settings, control);
        if answer.verdict == Verdict::Violation {
            control.settle();
        }
        (part, answer)
    };
    let answers: Vec<(usize, Answer)> = if history.len() < SMALL {
        by_size.iter().map(work).collect()
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.max(1)).build();
        let pool = pool.expect("threads can be started");
        // A bridge keeps "largest first": an idle thread takes the next in line.
        pool.install(|| by_size.iter().par_bridge().map(work).collect())
    };
    combine(history, parts, answers)
}

fn judge_part(part: &Part, settings: Settings, control: &Control) -> Answer {
    if let Some(cause) = control.halted() {
        return Answer::bare(Verdict::Unknown(cause), "none");
    }
    let method = settings.method;
    let ran = match method.covers(part) {
        Ok(()) => method.run(part, &settings, control),
        Err(why) => Ok(Answer::bare(Verdict::Unknown(Cause::Declined(why)), method.name())),
    };
    let broken = |StepError(message)| Answer::bare(Verdict::Unknown(Cause::Broken(message)), "none");
    let mut answer = ran.unwrap_or_else(broken);
    match &mut answer.verdict {
        Verdict::Violation => locate(part, &mut answer, control),
        Verdict::Unknown(Cause::Declined(why)) => *why = format!("{}: {why}", method.name()),
        _ => {}
    }
    answer
}

/// One answer out of those of the parts: a violation beats unknown beats linearizable.
fn combine(history: &History, parts: &[Part], mut answers: Vec<(usize, Answer)>) -> Outcome {
    let configurations = answers.iter().map(|(_, answer)| answer.configurations).sum();
    // Among violations the one that shows first; among the rest the largest part, which came first.
    answers.sort_by_key(|(_, answer)| match &answer.verdict {
        Verdict::Violation => (0, answer.evidence.accused().map_or(u32::MAX, |op| history.ret[op as usize])),
        Verdict::Unknown(Cause::Broken(_)) => (1, 0),
        Verdict::Unknown(Cause::Moot) => (3, 0),
        Verdict::Unknown(_) => (2, 0),
        Verdict::Linearizable => (4, 0),
    });
    let run = answers.iter().filter(|(_, answer)| answer.hits.is_some()).count();
    let were_run = answers.first().is_some_and(|(_, answer)| answer.hits.is_some());
    let mut hits = answers.iter_mut().filter_map(|(_, answer)| answer.hits.take()).reduce(Hits::and);
    let Some((part, decisive)) = answers.first_mut() else {
        unreachable!("a history has at least one part");
    };
    let (verdict, method) = (decisive.verdict.clone(), decisive.method);
    let (mut why_method, proof) = (std::mem::take(&mut decisive.why), decisive.proof.take());
    if verdict != Verdict::Linearizable {
        hits.iter_mut().for_each(|hits| hits.depth = None); // some part has no witness
    }
    if let Some(hits) = hits.as_ref().filter(|_| were_run) {
        let told = hitting::told(hits, run); // of all parts, as the numbers are
        why_method = if why_method.is_empty() { told } else { format!("{why_method}; {told}") };
    }
    let nothing = Evidence::Stuck(Stuck::default());
    let (evidence, part) = match verdict {
        Verdict::Linearizable => {
            let orders = answers.into_iter().map(|(_, answer)| match answer.evidence {
                Evidence::Witness(order) => order,
                _ => unreachable!("a yes comes with an order"),
            });
            (Evidence::Witness(merge(history, orders)), None)
        }
        _ => (std::mem::replace(&mut decisive.evidence, nothing), parts[*part].label.clone()),
    };
    Outcome { verdict, evidence, part, method, why_method, parts: parts.len(), configurations, hits, proof }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_history::Event;
    use linpoint_spec::{Code, Spec, State, Structure};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    /// Notes whether a step is taken in a pool of threads.
    #[derive(Clone, Default)]
    struct Pooled(Arc<AtomicBool>);

    impl Structure for Pooled {}

    impl Spec for Pooled {
        fn initial(&mut self) -> Result<State, StepError> {
            Ok(0)
        }
        fn step(&mut self, state: State, _: Code, next: &mut Vec<State>) -> Result<(), StepError> {
            self.0.store(rayon::current_thread_index().is_some(), Relaxed);
            next.push(state);
            Ok(())
        }
        fn read_only(&self, _: Code) -> bool {
            false
        }
        fn bytes(&self) -> usize {
            0
        }
        fn show(&self, _: State) -> String {
            String::new()
        }
        fn fork(&self) -> Box<dyn Spec> {
            Box::new(self.clone())
        }
    }

    #[test]
    fn only_large_histories_are_worth_a_thread() {
        for (count, is_pooled) in [(SMALL - 1, false), (SMALL, true)] {
            let history = linpoint_testkit::history(&"write 1;".repeat(count));
            let (spec, events) = (Pooled::default(), vec![Event::call(0), Event::ret(0)]);
            let fork = spec.fork();
            let part = Part { label: None, ops: vec![0], codes: vec![0], processes: vec![0], events, spec: fork };
            let settings = Settings { threads: 2, ..Settings::of("breadth-first").expect("a method of this name") };
            let outcome = judge(&history, &[part], settings, &Control::new(None, usize::MAX));
            assert_eq!(outcome.verdict, Verdict::Linearizable);
            assert_eq!(spec.0.load(Relaxed), is_pooled, "{count} operations");
        }
    }
}
