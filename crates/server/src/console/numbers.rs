//! Numbers as the console shows them.

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A time in milliseconds, in words: "38 ms", "1.2 s".
pub(super) fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        _ => format!(
            "{} min {} s",
            milliseconds / 60_000,
            milliseconds % 60_000 / 1_000
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, grouped};

    #[test]
    fn times_are_in_the_largest_sensible_unit() {
        for (milliseconds, shown) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_270, "1.2 s"),
            (24_502, "24.5 s"),
            (61_000, "1 min 1 s"),
        ] {
            assert_eq!(duration(milliseconds), shown);
        }
    }

    #[test]
    fn digits_are_in_groups_of_three() {
        for (number, shown) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), shown);
        }
    }
}
