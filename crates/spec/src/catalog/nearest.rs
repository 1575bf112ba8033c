//! Which known name did a mistyped one mean? The nearest by edit distance, if it is near.
//!
//! Optimal string alignment: an insertion, deletion, substitution or swap of neighbours costs one.
//! O(length²) for each name; only run to word an error.

/// "; did you mean "x"? models: a, b, c", the first part only when one of the names is near.
pub fn did_you_mean(word: &str, names: &[&str], what: &str) -> String {
    let guess = nearest(word, names).map_or(String::new(), |near| format!(" did you mean {near:?}?"));
    format!(";{guess} {what}: {}", names.join(", "))
}

/// The name nearest to `word`, unless more than two fifths of it would have to change.
pub fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(64).collect();
    let near = names.iter().map(|&name| (distance(&word, &name.chars().collect::<Vec<_>>()), name));
    let (distance, name) = near.min_by_key(|&(distance, _)| distance)?;
    (distance <= (word.len().max(name.len()) * 2 / 5).max(1)).then_some(name)
}

fn distance(a: &[char], b: &[char]) -> usize {
    // rows[i][j]: how far the first i of a are from the first j of b
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insertion_a_deletion_a_change_and_a_swap_cost_one_each() {
        let cases = [("", "", 0), ("", "ab", 2), ("ab", "", 2), ("ab", "ab", 0), ("ab", "ba", 1), ("abc", "acb", 1)];
        let more = [("abc", "abd", 1), ("abc", "ab", 1), ("abcd", "badc", 2), ("abcd", "acdb", 2), ("ab", "cd", 2)];
        for (a, b, expected) in cases.into_iter().chain(more).chain([("kitten", "sitting", 3), ("ca", "abc", 3)]) {
            let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
            assert_eq!((distance(&a, &b), distance(&b, &a)), (expected, expected), "{a:?} {b:?}");
        }
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_not() {
        let names = ["queue", "stack", "cas-register", "kv"];
        assert_eq!(nearest("qeuue", &names), Some("queue"));
        assert_eq!(nearest("cas-regsiter", &names), Some("cas-register"));
        assert_eq!(nearest("kw", &names), Some("kv"));
        assert_eq!(nearest("bank", &names), None);
        assert_eq!(nearest("", &names), None);
        assert_eq!(did_you_mean("stakc", &names[..2], "models"), "; did you mean \"stack\"? models: queue, stack");
        assert_eq!(did_you_mean("bank", &names[..2], "models"), "; models: queue, stack");
    }
}
