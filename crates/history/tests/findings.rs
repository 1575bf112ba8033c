//! Wrong answers that linpoint once gave: each test is named after the number of its finding.

mod samples;

use linpoint_history::read::{self, Format, Options};
use linpoint_history::{History, Status};
use samples::complaint;

fn read(text: &str) -> History {
    read::bytes(text.as_bytes(), "file", &Options::default()).unwrap()
}

fn refused(text: &str) -> String {
    complaint(text, &Options::default())
}

const LOG: &str = "INFO  jepsen.util - 0\t:invoke\t:write\t1
INFO  jepsen.util - 0\t:ok\t:write\t1
INFO  jepsen.util - 1\t:invoke\t:read\tnil
INFO  jepsen.util - 1\t:ok\t:read\t7
";

#[test]
fn finding_23_a_log_line_damaged_at_its_tab_is_refused() {
    // Without its completion the read of 7, a violation, would be pending.
    let damaged = LOG.replace("1\t:ok\t:read", "1X:ok\t:read");
    let expected = "expected process⇥:type⇥:f⇥value";
    assert_eq!(refused(&damaged), format!("file:4:23: this looks like an event: {expected}, found ':ok\\t:read\\t7'"));
    let glued = LOG.replace("1\t:ok\t:read", "1:ok\t:read");
    assert_eq!(refused(&glued), format!("file:4:22: this looks like an event: {expected}, found ':ok\\t:read\\t7'"));
}

#[test]
fn finding_23_any_damaged_byte_of_an_event_is_read_or_refused() {
    let lines = LOG.lines().count();
    let from = LOG.find("0\t").unwrap();
    for at in from..LOG.len() {
        if LOG[..at].rsplit('\n').next().unwrap().len() < from || LOG.as_bytes()[at] == b'\n' {
            continue; // the words of the logger, and ends of lines
        }
        for byte in ["X", " ", "", ":", "{", "\n", "\t", "\\", "\"", "0"] {
            let text = format!("{}{byte}{}", &LOG[..at], &LOG[at + 1..]);
            let Ok(history) = read::bytes(text.as_bytes(), "file", &Options::default()) else { continue };
            let events: usize = (0..history.len()).map(|op| 1 + usize::from(history.has_return[op])).sum();
            assert_eq!(events + history.annotations.len(), lines, "{text}");
        }
    }
}

#[test]
fn finding_23_a_history_txt_has_no_chatter() {
    let text = "0\t:invoke\t:read\tnil\n0\t:ok\t:read\t1\n2\n";
    assert_eq!(refused(text), "file:3:1: expected process⇥:type⇥:f⇥value, found '2'");
    assert_eq!(
        refused("0\t:invoke\t:read\tnil\n0\t:ok\t:read\n"),
        "file:2:12: expected a value (nil if there is none), found the end of the line"
    );
}

#[test]
fn finding_27_columns_separated_by_runs_of_spaces_are_read() {
    let spaced = "INFO  jepsen.util - 1   :invoke :write  3
INFO  jepsen.util - 1   :ok     :write  3
INFO  jepsen.util - 2   :invoke :cas    [3 4]
INFO  jepsen.util - :nemesis :info :start \"Cut off\"
INFO  jepsen.util - 2   :info   :cas    [3 4]   :timed-out
INFO  jepsen.util - 3   :invoke :write  5
INFO  jepsen.util - 3   :fail   :write  Connection refused: no route
";
    let history = read(spaced);
    assert_eq!((history.len(), history.annotations.len()), (3, 1));
    assert_eq!(history.status, vec![Status::Ok, Status::Info, Status::Fail]);
    assert_eq!(history.values.show(history.value[1]), "[3,4]");
    assert_eq!(history.values.show(history.extra_of(1)[0].2), "\"timed-out\"");
    assert_eq!(
        refused("INFO - 1   :invoke :write  3 4"),
        "file:1:30: expected the end of the line after the value, found '4'"
    );
}

#[test]
fn formats_can_be_named() {
    let options = Options { format: Some(Format::JepsenLog), ..Options::default() };
    assert_eq!(read::bytes(LOG.as_bytes(), "file", &options).unwrap().len(), 2);
}
