//! Does a line of a log say the same whether it is read as a plain one or as any other?

use linpoint_history::read::Options;
use linpoint_history::read::stream::{Stream, Told};
use linpoint_history::{ValueId, Values};
use linpoint_testkit::Dice;

/// What the lines say, or what is wrong with them.
fn told_of(text: &str) -> Vec<(u32, String)> {
    let (mut stream, mut values, mut told) = (Stream::new(&Options::default()), Values::new(), Vec::new());
    let mut events = Vec::new();
    stream.read("{\"process\":0,\"type\":\"info\",\"f\":\"x\",\"value\":null}\n", &mut values, |_, _| {});
    stream.read(text, &mut values, |line, event| events.push((line, event)));
    for (line, event) in events {
        told.push((
            line,
            match event {
                Err(message) => message,
                Ok(event) => {
                    let shown = [event.process, event.f, event.key, event.value, event.returned]
                        .map(|id| if id == ValueId::ABSENT { "absent".to_owned() } else { values.show(id) });
                    assert_ne!(event.told, Told::Remark);
                    format!("{:?} {} {:?}", event.told, shown.join(" "), event.time)
                }
            },
        ));
    }
    told
}

/// Plain lines and lines that are nearly so say what they say with a space at their end, where they are not plain.
#[test]
fn a_plain_line_says_what_any_reader_says() {
    let mut dice = Dice(3);
    let pick = |dice: &mut Dice, words: &[&str]| words[dice.roll(words.len() as u64) as usize].to_owned();
    let values = [
        "17",
        "0",
        "-3",
        "007",
        "1.5",
        "1e3",
        "null",
        "true",
        "false",
        "nul",
        "\"a\"",
        "\":a\"",
        "\"\\u0061\"",
        "\"\"",
        "\"é\"",
        "[1,2]",
        "[]",
        "[1,null]",
        "[1,2,3,4,5]",
        "[[1]]",
        "{\"a\":1}",
        "123456789012345678",
        "1234567890123456789",
        "99999999999999999999",
    ];
    let mut errors = 0;
    for round in 0..3_000 {
        let (mut text, mut padded) = (String::new(), String::new());
        for _ in 0..8 {
            let between = pick(&mut dice, &[",", ",", ",", ", ", " ,"]);
            let mut line = format!(
                "{{\"process\":{}{between}\"type\":{}{between}\"f\":{}{between}\"{}\":{}}}",
                pick(&mut dice, &["1", "2", "30", "\"w\"", "\"nemesis\"", "\":n\"", "null"]),
                pick(&mut dice, &["\"invoke\"", "\"ok\"", "\"ok\"", "\"fail\"", "\":info\"", "\"done\"", "3"]),
                pick(&mut dice, &["\"push\"", "\"pop\"", "\":pop\"", "1"]),
                pick(&mut dice, &["value", "value", "value", "key", "f", "time", "result", "vaule", "x"]),
                pick(&mut dice, &values),
            );
            if dice.chance(20) {
                let place = dice.roll(line.len() as u64) as usize;
                if line.is_char_boundary(place) && line.is_char_boundary(place + 1) {
                    line.replace_range(place..=place, &pick(&mut dice, &["", " ", "\"", ",", "}", "7", "\t"]));
                }
            }
            let end = pick(&mut dice, &["\n", "\n", "\n", "\r\n", ",\n", "}\n"]);
            text += &format!("{line}{end}");
            padded += &format!("{line}{}", end.replace('\n', " \n").replace("\r \n", " \r\n"));
        }
        let told = told_of(&text);
        errors += told.iter().filter(|(_, words)| !words.starts_with("Call") && !words.starts_with("End")).count();
        assert_eq!(told, told_of(&padded), "round {round}\n{text}");
    }
    assert!((4_000..22_000).contains(&errors), "{errors} of 24,000 lines are wrong");
}
