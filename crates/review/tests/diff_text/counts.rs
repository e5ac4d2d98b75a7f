//! Hunk headers whose counts are off by one.

use review::diff::Diff;

/// The text with each count of each hunk header one too large or too small, one at a time.
pub(crate) fn wrong_counts(text: &str) -> Vec<String> {
    let diff = Diff::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let hunks = diff.files.iter().flat_map(|file| &file.hunks);
    hunks
        .flat_map(|hunk| {
            wrong_headers(hunk.header)
                .into_iter()
                .map(|header| replace(text, hunk.header, &header))
        })
        .collect()
}

/// The text with the header, which is a slice of it, replaced in place.
fn replace(text: &str, part: &str, by: &str) -> String {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    format!("{}{by}{}", &text[..start], &text[start + part.len()..])
}

fn wrong_headers(header: &str) -> Vec<String> {
    let end = header
        .find(" +")
        .and_then(|at| header[at..].find(" @@").map(|after| at + after))
        .unwrap();
    let (ranges, rest) = header.split_at(end);
    let words: Vec<&str> = ranges.split(' ').collect();
    let mut wrong = Vec::new();
    for index in 1..words.len() {
        let (start, count) = words[index].split_once(',').unwrap_or((words[index], "1"));
        let count: u32 = count.parse().unwrap();
        for count in [count.checked_add(1), count.checked_sub(1)]
            .into_iter()
            .flatten()
        {
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            // A side that starts at 0 is rejected for that reason alone; here the count must be the cause.
            words[index] = format!(
                "{},{count}",
                if count > 0 {
                    start.replace("-0", "-1").replace("+0", "+1")
                } else {
                    start.to_owned()
                }
            );
            wrong.push(words.join(" ") + rest);
        }
    }
    wrong
}
