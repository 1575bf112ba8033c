//! Small objects, written by hand in instructions: what is explored, what is found in it, what a run says.

use linpoint_base::{Cause, Control};
use linpoint_equiv::{Equivalence, reduce};
use linpoint_explore::{
    Call, Client, Event, Fault, Graph, Machine, Names, Order, Program, RawProgram, Seen, Space, System, replay,
};

const NONE: i64 = -1;
const FALSE: i64 = -2;
const TRUE: i64 = -3;
const ZERO: i64 = -37;

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

/// A shared cell as a place.
fn cell(number: i64) -> [i64; 5] {
    [0, 0, number, 1, ZERO]
}

/// A field of the node in a register.
fn field(register: i64, number: i64) -> [i64; 5] {
    [1, register, number, 1, ZERO]
}

fn step(op: u8, operands: &[&[i64]]) -> (u8, Vec<i64>, bool) {
    (op, operands.concat(), false)
}

/// Treiber's stack: a shared cell, nodes with a value and a successor. Pop of the empty stack answers the symbol.
fn stack(frees: bool) -> RawProgram {
    let push = vec![
        step(24, &[&[1, 0, 0, NONE]]),
        step(16, &[&[2], &cell(0)]),
        step(17, &[&field(1, 1), &[2]]),
        step(18, &[&[3, 1], &cell(0), &[2, 1]]),
        step(13, &[&[3, 1]]),
        step(14, &[&[NONE]]),
    ];
    let mut pop = vec![
        step(16, &[&[0], &cell(0)]),
        step(2, &[&[3, 0, NONE]]),
        step(13, &[&[3, 8]]),
        step(16, &[&[1], &field(0, 1)]),
        step(18, &[&[3, 1], &cell(0), &[0, 1]]),
        step(13, &[&[3, 0]]),
        step(16, &[&[2], &field(0, 0)]),
        step(14, &[&[2]]),
        step(14, &[&[-4]]),
    ];
    if frees {
        pop[7] = step(25, &[&[0]]);
        pop.insert(8, step(14, &[&[2]]));
        pop[2] = step(13, &[&[3, 9]]);
    }
    (1, 1, vec![(2, 0)], vec![(0, 1, vec![step(14, &[&[NONE]])]), (1, 4, push), (0, 4, pop)])
}

/// One method: it spins until the flag is False, sets it, counts, and clears it if `releases`.
fn spinning(releases: bool) -> RawProgram {
    let start = vec![step(17, &[&cell(0), &[FALSE]]), step(17, &[&cell(1), &[ZERO]]), step(14, &[&[NONE]])];
    let mut method = vec![
        step(18, &[&[0, 1], &cell(0), &[FALSE, TRUE]]),
        step(13, &[&[0, 0]]),
        step(21, &[&[1], &cell(1), &[ZERO - 1]]),
        step(17, &[&cell(0), &[FALSE]]),
        step(14, &[&[1]]),
    ];
    if !releases {
        method.remove(3);
    }
    (2, 0, vec![], vec![(0, 1, start), (0, 2, method)])
}

fn system(program: RawProgram, menu: &[(usize, &[u8])], threads: usize, calls: usize) -> System {
    let program = Program::new(program).expect("a program");
    let menu = menu.iter().map(|&(method, arguments)| Call { method, arguments: arguments.to_vec() }).collect();
    let client = Client { threads, calls: Some(calls), menu, patience: 0, order: Order::default() };
    client.check(&program).expect("a client");
    System::new(Machine::new(program, threads), client)
}

const STACK_MENU: [(usize, &[u8]); 3] = [(1, &[37]), (1, &[38]), (2, &[])];

fn names(calls: &[&str]) -> Names {
    let text = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    Names { calls: text(calls), methods: text(&["", "push", "pop"]), symbols: text(&["EMPTY"]) }
}

fn explored(system: System, workers: usize) -> (System, Graph) {
    let space = Space::explore(system, workers, &unlimited()).expect("no limit");
    let (system, graph, failure) = space.into_graph(&unlimited()).expect("no limit");
    assert!(failure.is_none());
    (system, graph)
}

#[test]
fn the_stack_has_the_quotient_of_the_paper_on_any_number_of_cores() {
    let names = names(&["push(1)", "push(2)", "pop()"]);
    let systems: Vec<_> = (1..=4).map(|workers| explored(system(stack(false), &STACK_MENU, 2, 2), workers).1).collect();
    let all: Vec<Vec<_>> =
        systems.iter().map(|graph| graph.lts(&names, &unlimited()).expect("no limit").all().collect()).collect();
    assert!(all.iter().all(|one| *one == all[0]));
    let quotient =
        reduce(&systems[0].lts(&names, &unlimited()).expect("no limit"), Equivalence::Branching, &unlimited())
            .expect("no limit");
    assert_eq!((quotient.states, quotient.transitions()), (388, 1090));
    assert_eq!(systems[0].divergence(None, &unlimited()).expect("no limit"), None);
    assert_eq!(
        systems[0].waiting(&systems[0].pending(&unlimited()).expect("no limit"), &unlimited()).expect("no limit"),
        None
    );
}

#[test]
#[cfg(not(feature = "collide"))] // 50,000 states, each compared with all before it
fn a_freed_address_comes_back() {
    let (free, gc) = (system(stack(true), &STACK_MENU, 2, 3), system(stack(false), &STACK_MENU, 2, 3));
    let names = names(&["push(1)", "push(2)", "pop()"]);
    let sizes = [free, gc].map(|system| {
        let graph = explored(system, 2).1;
        reduce(&graph.lts(&names, &unlimited()).expect("no limit"), Equivalence::Branching, &unlimited())
            .expect("no limit")
            .states
    });
    assert_ne!(sizes[0], sizes[1], "ABA shows");
}

#[test]
fn a_lock_that_is_not_released_is_a_lasso() {
    let (system, graph) = explored(system(spinning(false), &[(1, &[])], 2, 1), 2);
    let lasso = graph.divergence(None, &unlimited()).expect("no limit").expect("it spins");
    assert_eq!(lasso.cycle.len(), 1);
    let alone = graph
        .divergence(Some(0), &unlimited())
        .expect("no limit")
        .or(graph.divergence(Some(1), &unlimited()).expect("no limit"))
        .expect("it spins alone");
    assert_eq!(alone.cycle.len(), 1);
    let run: Vec<usize> = lasso.stem.iter().chain(&lasso.cycle).copied().collect();
    let (before, taken) = replay(&system, &graph, &run, None).expect("the run is there");
    assert_eq!(before.cells, [1, 36], "False, 0");
    assert_eq!(taken.len(), run.len());
    let last = taken.last().expect("a cycle");
    assert_eq!(last.seen, [Seen::Read(3, (0, 0), 2)], "the flag is True");
    assert_eq!(taken[run.len() - 2].memory, last.memory, "it comes back");
    let calls = taken.iter().filter(|step| matches!(step.label.event(), Event::Call(0))).count();
    assert_eq!(calls, 2);
}

#[test]
fn a_lock_that_is_released_is_still_no_progress_of_one_alone() {
    let (_, graph) = explored(system(spinning(true), &[(1, &[])], 2, 1), 1);
    assert!(graph.divergence(None, &unlimited()).expect("no limit").is_some());
    assert_eq!(graph.deadlock(&graph.pending(&unlimited()).expect("no limit"), &unlimited()).expect("no limit"), None);
}

#[test]
fn the_nearest_failure_ends_the_exploration() {
    let mut program = spinning(true);
    program.3[1].2[2] = step(15, &[&[FALSE]]); // an assertion in place of the count
    let space = Space::explore(system(program, &[(1, &[])], 2, 2), 2, &unlimited()).expect("no limit");
    let (system, graph, failure) = space.into_graph(&unlimited()).expect("no limit");
    let (state, failure) = failure.expect("the assertion fails");
    assert_eq!((failure.fault, failure.position), (Fault::Assertion, 5));
    let wanted = state.expect("after a call");
    let run = graph
        .shortest(graph.initial, |_, _, _| true, |state| state == wanted, &unlimited())
        .expect("no limit")
        .expect("it was reached");
    let (_, taken) = replay(&system, &graph, &run, Some(failure.label)).expect("the run is there");
    assert_eq!(taken.last().and_then(|step| step.failed), Some((Fault::Assertion, 5)));
    assert_eq!(taken.len(), 2, "a call, and the step that fails");
}

#[test]
fn budgets_stop_it() {
    let limited = |control: Control| Space::explore(system(stack(false), &STACK_MENU, 2, 4), 2, &control).err();
    assert_eq!(limited(unlimited().with_work(100)), Some(Cause::Work));
    assert_eq!(limited(Control::new(None, 10_000)), Some(Cause::Memory));
    let stopped = unlimited();
    stopped.interrupt();
    assert_eq!(limited(stopped), Some(Cause::Interrupted));
}
