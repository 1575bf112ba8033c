//! What is the verdict now? Judges the events that have gathered, and forgets what is settled.
//!
//! Judging costs one search of what has gathered, or one pass over it where intervals tell, so the fewer the looks, the cheaper each
//! event; how late an alarm may be is the caller's choice. Groups are judged in parallel.
//!
//! **Unasked, a group of unique values is judged up to the call of its oldest open operation.** Of everything called before, the result is known by
//! now; if it is explained with these results, it was explained then. What an open remove took has to be guessed otherwise.
//! If it is not explained, or little of it was called before, the group is judged with everything, as it is when somebody asks.
//!
//! **What sleeps is not looked at.** A crashed operation need not have taken effect, so what is explained without it is explained. If it is not, everything is
//! woken. Of crashed removes the first ones sleep: what must have been taken was taken by the last that can have done it (`through`), so while the last ones suffice, the
//! same ones are forgotten as if all were looked at.
//!
//! **Ctrl-C loses nothing.** What was being judged then waits for the next look; only the end of a budget makes a group unknown.

use crate::alarm::{Alarm, Bench};
use crate::group::{Event, Group};
use crate::matched::{self, Forgotten, Horizon};
use crate::monitor::{Fault, Monitor};
use crate::window::{Judged, Op, Outcome, compiled, cut, judge, leave_behind};
use hashbrown::{HashMap, HashSet};
use linpoint_base::{Cause, Control, Hashing, room};
use linpoint_check::Window;
use linpoint_history::ValueId;
use linpoint_spec::{Part, StepError};
use rayon::prelude::*;
use std::sync::OnceLock;

/// So many crashed removes stay awake: the last ones.
const AWAKE: usize = room(64);

/// What is to be done with groups that were looked at.
#[derive(Default)]
struct Left {
    refuted: Vec<Refuted>,
    /// Everything of these has to be looked at, also what is asleep if all else was.
    undecided: Vec<(u32, bool)>,
    /// Ctrl-C was pressed before these were judged.
    interrupted: Vec<u32>,
}

/// A group that is refuted: the operation whose return shows it, and whether intervals told.
struct Refuted {
    group: u32,
    operation: u32,
    matched: bool,
}

/// What became of a group: from intervals, and what can be forgotten; or by search, with the cut; or nothing, for not all of it was
/// looked at: only what was asleep is missing, or more.
enum Looked {
    Matched(Result<Window, StepError>, Forgotten),
    Searched((usize, usize), Result<Judged, StepError>, Vec<u32>),
    Undecided(bool),
}

/// Behind a violation everything is judged again without the accused operation, and behind one that changed what is held nearly every answer is
/// wrong. So at most so many events are judged again in one look: some seconds. Then the group is unknown.
const MOST_AGAIN: u64 = 1 << 23;
/// One event that is searched costs as much as so many that intervals decide.
const SEARCHED: u64 = 16;

/// Has this process the threads that judge in parallel? A process that was forked behind their start has not, and would wait for them for ever.
fn has_threads() -> bool {
    static STARTED_IN: OnceLock<u32> = OnceLock::new();
    *STARTED_IN.get_or_init(std::process::id) == std::process::id()
}

impl Monitor {
    /// Judges everything. The violations that were found, the earliest first; without `goes_on` only that.
    pub fn judge(&mut self, control: &Control) -> Vec<Alarm> {
        self.judge_most(true, control)
    }

    /// Judges what can be judged cheaply by now.
    pub fn look(&mut self, control: &Control) -> Vec<Alarm> {
        self.judge_most(false, control)
    }

    fn judge_most(&mut self, everything: bool, control: &Control) -> Vec<Alarm> {
        if self.violation.is_some() && !self.goes_on {
            return Vec::new();
        }
        self.forget_values();
        let (mut alarms, mut postponed, mut again) = (Vec::new(), Vec::new(), 0);
        while !self.groups.dirty.is_empty() {
            let dirty = std::mem::take(&mut self.groups.dirty);
            dirty.iter().for_each(|&group| self.groups.list[group as usize].dirty = false);
            let (blind, dirty): (Vec<u32>, Vec<u32>) =
                dirty.iter().partition(|&&group| self.groups.list[group as usize].blind.is_some());
            blind.iter().for_each(|&group| self.try_again(group, control));
            let dirty: Vec<(u32, u64)> = dirty
                .iter()
                .map(|&group| (group, if everything { u64::MAX } else { self.known_before(group) }))
                .collect();
            if dirty.is_empty() {
                continue;
            }
            let Left { mut refuted, mut undecided, mut interrupted } = self.judge_groups(&dirty, control);
            let is_decided = |group: u32| undecided.iter().all(|other| other.0 != group);
            let judged = dirty.iter().filter(|(group, before)| *before < u64::MAX && is_decided(*group));
            postponed.extend(judged);
            while !undecided.is_empty() {
                undecided.iter().filter(|(_, asleep)| *asleep).for_each(|&(group, _)| self.groups.wake_all(group));
                let again: Vec<(u32, u64)> = undecided.iter().map(|&(group, _)| (group, u64::MAX)).collect();
                let rest = self.judge_groups(&again, control);
                refuted.extend(rest.refuted);
                interrupted.extend(rest.interrupted);
                undecided = rest.undecided;
            }
            for refuted in &refuted {
                let events = self.groups.list[refuted.group as usize].events.len() as u64;
                again += if refuted.matched { events } else { events * SEARCHED };
                self.raise(refuted, control, &mut alarms);
                if self.goes_on && again > MOST_AGAIN {
                    let since = alarms.last().map_or(self.judged, |alarm| alarm.event) + 1;
                    self.lose(refuted.group, since, Cause::Work);
                }
            }
            if !interrupted.is_empty() {
                postponed.extend(interrupted.iter().map(|&group| (group, self.judged + 1)));
                break;
            }
        }
        alarms.iter_mut().for_each(|alarm| alarm.renumber(|came| self.clock.told(came)));
        alarms.sort_by_key(|alarm| alarm.event);
        if !self.goes_on {
            alarms.truncate(1);
        }
        self.violation = self.violation.or(alarms.first().map(|alarm| alarm.came));
        postponed.iter().for_each(|&(group, _)| self.groups.touch(group));
        let before = postponed.iter().map(|&(_, before)| before).min();
        self.judged = before.map_or(self.events, |before| self.judged.max(before - 1));
        self.forget_places();
        self.clock.forget_refused(|| {
            let kept = self.groups.kept().map(|event| &self.all[event.op as usize]);
            kept.chain(self.recent.iter()).map(Op::came).min().unwrap_or(u64::MAX)
        });
        alarms
    }

    /// Operations of a group that were called before this event are to be judged: all of them have ended. If they are few, all.
    fn known_before(&self, group: u32) -> u64 {
        let group = &self.groups.list[group as usize];
        if !group.matched || group.cut {
            return u64::MAX;
        }
        let fixed = Horizon::of(group, &self.all).fixed;
        let known = group.events.partition_point(|event| event.number < fixed);
        if 2 * known < group.events.len() { u64::MAX } else { fixed }
    }

    /// Judges these groups, each up to an event, and cuts those that are explained.
    fn judge_groups(&mut self, dirty: &[(u32, u64)], control: &Control) -> Left {
        let since = self.judged + 1;
        let groups: Vec<(&Group, u64)> =
            dirty.iter().map(|&(group, before)| (&self.groups.list[group as usize], before)).collect();
        let compiled = compiled(&self.all, &groups, u64::MAX, &self.values, &mut *self.source, control);
        let (slice, parts) = match compiled {
            Ok(compiled) => compiled,
            Err(error) => {
                let (cause, mut left) = (Fault::from(error).cause(), Left::default());
                dirty.iter().for_each(|&(group, _)| self.stop(group, since, cause.clone(), &mut left));
                return left;
            }
        };
        let mut limits: Vec<(u32, u64)> = dirty.to_vec();
        limits.sort_unstable();
        let with_group = |part: Part| {
            let first = part.ops.first()?;
            let cell = self.all[slice.ops[*first as usize] as usize].cell;
            let group = self.groups.of(cell)?;
            let limit = limits.binary_search_by_key(&group, |limit| limit.0).ok()?;
            Some((group, limits[limit].1 == u64::MAX, part))
        };
        let parts: Vec<(u32, bool, Part)> = parts.into_iter().filter_map(with_group).collect();
        let look = |(group, whole, part): &(u32, bool, Part)| {
            let known = &self.groups.list[*group as usize];
            let all_looked_at = *whole && self.groups.asleep.of(*group).next().is_none();
            if matched::covers(part, known) {
                let judged = match matched::judge(part, control) {
                    Ok(matched::Verdict { window: Window::Explained, taken, .. }) => {
                        let forgotten = matched::forget((part, &slice), (known, &self.all), taken, control);
                        Looked::Matched(Ok(Window::Explained), forgotten)
                    }
                    Ok(matched::Verdict { window: Window::Refuted { .. }, .. }) if !all_looked_at => {
                        Looked::Undecided(*whole)
                    }
                    judged => Looked::Matched(judged.map(|judged| judged.window), Forgotten::default()),
                };
                return (*group, judged);
            }
            if !all_looked_at {
                return (*group, Looked::Undecided(*whole));
            }
            let at = cut(known, &self.all);
            let judged = judge(part, known, &slice, &self.all, at.1, control);
            let harmless = part.codes.iter().zip(&part.ops).filter(|(code, _)| part.spec.read_only(**code));
            let harmless: Vec<u32> = harmless.map(|(_, &op)| slice.ops[op as usize]).collect();
            (*group, Looked::Searched(at, judged, harmless))
        };
        let looked: Vec<_> = match parts.len() {
            0 | 1 => parts.iter().map(look).collect(),
            _ if has_threads() => parts.par_iter().map(look).collect(),
            _ => parts.iter().map(look).collect(),
        };
        drop(parts);
        if self.source.begins_anew() {
            return self.judge_groups(dirty, control);
        }
        let mut left = Left::default();
        for (group, looked) in looked {
            let (window, matched) = match looked {
                Looked::Undecided(whole) => {
                    left.undecided.push((group, whole));
                    continue;
                }
                Looked::Matched(window, forgotten) => {
                    if let Ok(Window::Explained) = window {
                        self.forget_of(group, &forgotten);
                    }
                    (window, true)
                }
                Looked::Searched(at, judged, harmless) => {
                    (judged.map(|judged| self.settle(group, at.0, judged, &harmless)), false)
                }
            };
            self.groups.list[group as usize].matched = matched;
            match window.map_err(Fault::from) {
                Err(fault) => self.stop(group, since, fault.cause(), &mut left),
                Ok(Window::Stopped(cause)) => self.stop(group, since, cause, &mut left),
                Ok(Window::Refuted { operation, .. }) => {
                    left.refuted.push(Refuted { group, operation: slice.ops[operation as usize], matched });
                }
                Ok(Window::Explained) => {}
            }
        }
        left
    }

    /// Cuts a group whose window was searched and is explained.
    fn settle(&mut self, group: u32, cut: usize, judged: Judged, harmless: &[u32]) -> Window {
        if judged.window == Window::Explained {
            self.groups.settle(group, &judged.keys, &judged.carries);
            let known = &mut self.groups.list[group as usize];
            known.cut |= cut > 0;
            self.kept_events -= known.events.len() as u64;
            let gone = leave_behind(known, &self.all, cut, harmless);
            self.kept_events += known.events.len() as u64;
            gone.into_iter().for_each(|op| self.forget(op));
            self.shrink_events(group);
        }
        judged.window
    }

    /// Forgets operations of a group that was judged from intervals.
    fn forget_of(&mut self, group: u32, forgotten: &Forgotten) {
        for &(op, by) in &forgotten.earlier {
            let known = &mut self.all[op as usize].by;
            *known = Some(known.map_or(by, |before| before.min(by)));
        }
        let known = &mut self.groups.list[group as usize];
        known.forgot |= !forgotten.gone.is_empty();
        known.forgot_crashed |= forgotten.gone.iter().any(|&op| self.all[op as usize].crashed());
        forgotten.gone.iter().for_each(|&op| self.all[op as usize].gone = true);
        let is_gone = |op: &Op| op.gone || op.end.is_some_and(|end| end.outcome == Outcome::Fail);
        let mut gone: Vec<u32> = Vec::with_capacity(forgotten.gone.len());
        self.kept_events -= known.events.len() as u64;
        known.events.retain(|event| {
            let goes = is_gone(&self.all[event.op as usize]);
            gone.extend((goes && !event.is_return).then_some(event.op));
            !goes
        });
        self.kept_events += known.events.len() as u64;
        let crashed = forgotten.crashed.iter().copied().filter(|&op| !self.all[op as usize].gone);
        self.put_to_sleep(group, crashed.collect());
        let removes = forgotten.removes.iter().map(|&op| &self.all[op as usize]).filter(|op| !op.gone);
        let removes: Vec<u64> = removes.map(|op| op.call).collect();
        if removes.len() > 2 * AWAKE {
            self.groups.put_removes_to_sleep(group, &removes[..removes.len() - AWAKE]);
        }
        gone.iter().for_each(|&op| self.forget(op));
        self.shrink_events(group);
    }

    /// Puts crashed operations asleep if no other one names their value.
    fn put_to_sleep(&mut self, group: u32, crashed: Vec<u32>) {
        if crashed.is_empty() {
            return;
        }
        let mut unseen: HashMap<ValueId, Option<Event>, Hashing> =
            crashed.iter().map(|&op| (self.all[op as usize].value, None)).collect();
        let known = &mut self.groups.list[group as usize];
        for event in known.events.iter().filter(|event| !event.is_return) {
            let op = &self.all[event.op as usize];
            let result = op.end.and_then(|end| match end.outcome {
                Outcome::Ok(result) => Some(result),
                _ => None,
            });
            for value in [Some(op.value), result].into_iter().flatten() {
                match unseen.get_mut(&value) {
                    Some(known @ None) if op.crashed() => *known = Some(*event),
                    Some(_) => _ = unseen.remove(&value),
                    None => {}
                }
            }
        }
        let calls: HashSet<u64, Hashing> = unseen.values().flatten().map(|event| event.number).collect();
        known.events.retain(|event| event.is_return || !calls.contains(&event.number));
        for (value, call) in unseen {
            call.into_iter().for_each(|call| self.groups.asleep.put(group, value, call));
        }
    }

    /// Tells the violation of a group; what comes after is judged as if the accused operation had not been. What is refuted then, and was not before, needs
    /// the accused one: that is no violation of its own.
    ///
    /// ```text
    ///   write 1 ──┤  swap 2 ────────────────┤ → 5      accused at its return, since nobody wrote 5
    ///                    cas 1 3 → false ──┤           before, the open swap explained it
    /// ```
    fn raise(&mut self, refuted: &Refuted, control: &Control, alarms: &mut Vec<Alarm>) {
        let &Refuted { group, operation, matched } = refuted;
        let since = self.judged + 1;
        let (known, all, values) = (&self.groups.list[group as usize], &self.all, &self.values);
        let mut bench = Bench { group: known, all, values, source: &mut *self.source, control, matched, since };
        let mut alarm = bench.alarm(operation);
        let is_shown =
            |call: u64| alarm.shown.iter().any(|shown| (shown.needed || shown.support) && shown.op.call == call);
        let returns = known.events.iter().filter(|event| event.is_return).map(|event| &all[event.op as usize]);
        let others = returns.filter(|op| !is_shown(op.call));
        alarm.before = self.recent.before(alarm.event, |op| self.groups.of(op.cell) == Some(group), others);
        let accused = alarm.accused;
        let known = &mut self.groups.list[group as usize];
        if alarm.event > known.told {
            known.told = alarm.event;
            alarms.push(alarm);
        }
        self.kept_events -= known.events.len() as u64;
        known.events.retain(|event| event.op != accused);
        self.kept_events += known.events.len() as u64;
        known.carries.iter_mut().for_each(|carry| carry.done.retain(|&op| op != accused));
        self.forget(accused);
        if self.goes_on {
            self.groups.touch(group);
        }
    }

    /// A group could not be judged.
    fn stop(&mut self, group: u32, since: u64, cause: Cause, left: &mut Left) {
        let cause = match cause {
            Cause::Broken(_) => self.source.spent().unwrap_or(cause),
            cause => cause,
        };
        match cause {
            Cause::Interrupted => left.interrupted.push(group),
            cause => self.lose(group, since, cause),
        }
    }

    /// From event `since` on nothing is known of a group, until it begins again. What is open or crashed matters then.
    fn lose(&mut self, group: u32, since: u64, cause: Cause) {
        self.groups.wake_all(group);
        let known = &mut self.groups.list[group as usize];
        known.lost.get_or_insert((since, cause));
        known.blind = Some(self.events);
        known.carries.clear();
        let events = std::mem::take(&mut known.events);
        self.kept_events -= events.len() as u64;
        let (kept, gone): (Vec<Event>, Vec<Event>) =
            events.into_iter().filter(|event| !event.is_return).partition(|event| {
                match self.all[event.op as usize].end {
                    None => self.restarts,
                    Some(end) => self.restarts && end.outcome == Outcome::Info,
                }
            });
        self.kept_events += kept.len() as u64;
        self.groups.list[group as usize].events = kept;
        for op in gone.iter().map(|event| event.op) {
            if self.all[op as usize].end.is_some() {
                self.forget(op);
            }
        }
    }
}
