//! How fast is a file read? `cargo run --release -p linpoint-bench --bin load FILE…`

use linpoint_history::{read, write};
use std::path::Path;
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let mut best = f64::INFINITY;
        let mut history = None;
        for _ in 0..7 {
            let start = Instant::now();
            match read::path(Path::new(&file), &read::Options::default()) {
                Ok(read) => history = Some(read),
                Err(error) => {
                    eprintln!("{error}");
                    break;
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let Some(history) = history else { continue };
        let start = Instant::now();
        let bytes = write::jsonl(&history).len();
        let written = start.elapsed().as_secs_f64();
        println!("{file}: {} operations, {} values", history.len(), history.values.len());
        println!("  read in {:.1} ms; {bytes} bytes of JSONL written in {:.1} ms", best * 1e3, written * 1e3);
    }
}
