use linpoint_base::Control;
use linpoint_equiv::{Equivalence, read, reduce};
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let eq = Equivalence::from_name(&std::env::args().nth(2).unwrap()).unwrap();
    let c = Control::new(None, usize::MAX);
    let t = Instant::now();
    let lts = read(std::fs::File::open(&path).unwrap(), &["tau", "i"], &c).unwrap();
    let a = t.elapsed();
    let t = Instant::now();
    let q = reduce(&lts, eq, &c).unwrap();
    let b = t.elapsed();
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = s.lines().find(|l| l.starts_with("VmHWM")).unwrap().to_owned();
    println!("{} {} {} {} {} load {a:?} reduce {b:?} {peak} work {}", path.rsplit('/').next().unwrap(), lts.states, lts.transitions(), q.states, q.transitions(), c.progress().1);
}
