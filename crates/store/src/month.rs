//! Calendar months as keys.

use crate::StoreError;

/// The `YYYY-MM` of a `YYYY-MM-DD`. Days are compared as text, so only that form is accepted; whether the date exists is
/// the caller's concern.
pub(crate) fn month_of(day: &str) -> Result<&str, StoreError> {
    let form = |(place, byte): (usize, u8)| if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let sound = day.len() == 10 && day.bytes().enumerate().all(form);
    day.get(..7).filter(|_| sound).ok_or(StoreError::Invalid("a day must have the form YYYY-MM-DD"))
}

#[cfg(test)]
mod tests {
    use super::month_of;

    #[test]
    fn a_day_has_one_form() {
        assert_eq!(month_of("2026-11-20").unwrap(), "2026-11");
        for wrong in ["", "2026-11", "2026-11-2", "2026-11-200", "2026/11/20", "20261120", "2026-11-2é", "2026-11- 1"]
        {
            assert!(month_of(wrong).is_err(), "{wrong}");
        }
    }
}
