//! Parses and formats the values of `hunkwise admin`: times, names, enums.

use jiff::{Span, Timestamp, tz::TimeZone};
use store::{UnixMillis, names};

use crate::outcome::Error;

/// RFC 3339 in UTC, as in the API.
pub(super) fn rfc3339(time: UnixMillis) -> String {
    Timestamp::from_millisecond(time.0).map_or_else(|_| time.to_string(), |time| time.to_string())
}

/// Parses `30d`, `12h`, `2 weeks`, `1 month`: jiff's "friendly" durations and ISO 8601 durations.
pub(super) fn parse_life(text: &str) -> Result<Span, String> {
    let span: Span = text
        .trim()
        .parse()
        .map_err(|_| "not a duration such as 30d, 12h or 1 month".to_owned())?;
    if span.is_positive() {
        Ok(span)
    } else {
        Err("not a positive duration".to_owned())
    }
}

/// The end of a lifetime that begins now. Months are calendar months in UTC.
pub(super) fn end_of(life: Option<Span>, now: UnixMillis) -> Result<Option<UnixMillis>, Error> {
    let Some(life) = life else { return Ok(None) };
    let end = Timestamp::from_millisecond(now.0)
        .and_then(|now| now.to_zoned_datetime(TimeZone::UTC).checked_add(life));
    let end = end.map_err(|_| Error::usage("--expires-in: the date is out of range"))?;
    Ok(Some(UnixMillis(end.timestamp().as_millisecond())))
}

/// Parses a name: trimmed, not empty, and no longer than the name of an organization.
pub(super) fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    match name.chars().count() {
        0 => Err("empty".to_owned()),
        1..=120 if name.chars().any(char::is_control) => {
            Err("a name must not contain control characters".to_owned())
        }
        1..=120 => match names::misleading_character(name) {
            Some(character) => Err(format!(
                "a name must not contain U+{:04X}, which misleads readers",
                u32::from(character)
            )),
            None if names::is_blank(name) => Err("blank".to_owned()),
            None => Ok(name.to_owned()),
        },
        _ => Err("longer than 120 characters".to_owned()),
    }
}

/// Parses a variant of `W` from its name.
pub(super) fn word<W>(
    words: &'static [W],
    spell: fn(W) -> &'static str,
) -> impl clap::builder::TypedValueParser<Value = W>
where
    W: Copy + Send + Sync + std::str::FromStr<Err = store::ParseError> + 'static,
{
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(words.iter().map(|word| spell(*word)))
        .try_map(|text| text.parse::<W>())
}

#[cfg(test)]
mod tests {
    use store::UnixMillis;

    use super::{end_of, parse_life, parse_name, rfc3339};

    const NOW: UnixMillis = UnixMillis(1_768_435_200_000);

    fn end(text: &str) -> String {
        rfc3339(
            end_of(Some(parse_life(text).unwrap()), NOW)
                .unwrap()
                .unwrap(),
        )
    }

    #[test]
    fn lifetimes_follow_the_calendar() {
        assert_eq!(rfc3339(NOW), "2026-01-15T00:00:00Z");
        assert_eq!(end("30d"), "2026-02-14T00:00:00Z");
        assert_eq!(end("12h"), "2026-01-15T12:00:00Z");
        assert_eq!(end("2 weeks"), "2026-01-29T00:00:00Z");
        assert_eq!(end("1 month"), "2026-02-15T00:00:00Z");
        assert_eq!(end("P1Y"), "2027-01-15T00:00:00Z");
    }

    #[test]
    fn invalid_lifetimes_are_rejected() {
        for wrong in ["", "30", "soon", "0s", "-3d", "3d ago"] {
            assert!(parse_life(wrong).is_err(), "{wrong:?}");
        }
        assert!(end_of(Some(parse_life("9000y").unwrap()), NOW).is_err());
    }

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(parse_name("  Ada \u{2003}"), Ok("Ada".to_owned()));
        assert_eq!(parse_name(&"é".repeat(120)), Ok("é".repeat(120)));
        for wrong in [
            "",
            " \u{3000}",
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}b",
            "\u{2800}",
            &"é".repeat(121),
        ] {
            assert!(parse_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
