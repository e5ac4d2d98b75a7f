//! IDs with a prefix for their type, and the crate's only source of randomness.
//!
//! An ID is a UUID version 7 (RFC 9562, section 5.7) in the format of the TypeID specification 0.3
//! (<https://github.com/jetify-com/typeid>): a prefix, `_`, and the 128 bits as 26 lower-case characters of Crockford's
//! base 32. The database stores that text, so its rows show the same IDs as the API, and text order is time order.

use std::{
    fmt,
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use uuid::Uuid;

use crate::error::ParseError;
use crate::time::UnixMillis;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTERS: u32 = 26;
/// Version 7 leaves 74 bits in addition to timestamp, version and variant.
const TAIL_BITS: u32 = 74;
const LOW_TAIL_BITS: u32 = 62;
const LAST_MILLISECOND: u64 = (1 << 48) - 1;

/// Random bytes from the operating system, suitable for keys.
///
/// The crate's only source of randomness. It only makes IDs distinct and secrets hard to guess, never decides anything, so
/// tests need no substitute.
///
/// # Panics
/// When the operating system's source fails: continuing would issue guessable secrets.
#[expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "the only source of randomness"
)]
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has a source of randomness");
    bytes
}

/// The variable part of an ID: its millisecond and 74 more bits.
#[derive(Debug, Clone, Copy)]
struct Stamp {
    millisecond: u64,
    tail: u128,
}

impl Stamp {
    fn random(millisecond: u64) -> Self {
        // The highest bit starts clear, so that the counter has room.
        Self {
            millisecond,
            tail: u128::from_be_bytes(random_bytes()) >> (128 - (TAIL_BITS - 1)),
        }
    }

    /// The process's next stamp: strictly greater than the last, also within one millisecond and after the clock was set
    /// back (RFC 9562, section 6.2, method 2), so ID order is creation order.
    fn next(self, now: UnixMillis) -> Self {
        let millisecond = u64::try_from(now.0).unwrap_or(0).min(LAST_MILLISECOND);
        if millisecond > self.millisecond {
            return Self::random(millisecond);
        }
        let tail = self.tail + 1 + u128::from(u32::from_be_bytes(random_bytes()));
        if tail >> TAIL_BITS == 0 {
            Self { tail, ..self }
        } else {
            Self::random((self.millisecond + 1).min(LAST_MILLISECOND))
        }
    }

    fn uuid(self) -> Uuid {
        let (high, low) = (
            self.tail >> LOW_TAIL_BITS,
            self.tail & ((1 << LOW_TAIL_BITS) - 1),
        );
        Uuid::from_u128(
            u128::from(self.millisecond) << 80 | 7 << 76 | high << 64 | 0b10 << LOW_TAIL_BITS | low,
        )
    }
}

fn new_uuid(now: UnixMillis) -> Uuid {
    static LAST: Mutex<Stamp> = Mutex::new(Stamp {
        millisecond: 0,
        tail: 0,
    });
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = last.next(now);
    last.uuid()
}

fn encode(uuid: Uuid) -> String {
    let bits = uuid.as_u128();
    (0..CHARACTERS)
        .rev()
        .map(|place| char::from(ALPHABET[(bits >> (5 * place) & 31) as usize]))
        .collect()
}

/// The strict inverse of [`encode`]: each ID has exactly one text.
fn decode(text: &str) -> Option<Uuid> {
    let mut bits: u128 = 0;
    for byte in text.bytes() {
        let digit = ALPHABET.iter().position(|&letter| letter == byte)?;
        bits = bits << 5 | digit as u128;
    }
    let uuid = Uuid::from_u128(bits);
    // 26 characters hold 130 bits. The two excess bits are shifted out above, so re-encoding reveals them.
    let canonical = text.len() == CHARACTERS as usize
        && text.as_bytes().first().is_some_and(|&first| first <= b'7');
    (canonical && uuid.get_version_num() == 7 && uuid.get_variant() == uuid::Variant::RFC4122)
        .then_some(uuid)
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal, $what:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Creates an ID that is greater than every one that this process has created.
            #[must_use]
            pub fn new(now: UnixMillis) -> Self {
                Self(new_uuid(now))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&[$prefix, "_", &encode(self.0)].concat())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                let suffix = text.strip_prefix(concat!($prefix, "_"));
                suffix.and_then(decode).map(Self).ok_or(ParseError($what))
            }
        }

        crate::db::stored_as!($name: String, |id| id.to_string(), |text| text.parse());
    };
}

id!(
    /// Identifies an organization: `org_…`.
    OrganizationId, "org", "an organization ID (org_ and 26 characters)"
);
id!(
    /// Identifies a user: `usr_…`.
    UserId, "usr", "a user ID (usr_ and 26 characters)"
);
id!(
    /// Identifies a token; not secret: `tok_…`.
    TokenId, "tok", "a token ID (tok_ and 26 characters)"
);
id!(
    /// Identifies an audit event: `evt_…`.
    AuditEventId, "evt", "an audit event ID (evt_ and 26 characters)"
);
id!(
    /// Identifies an invitation; not its code: `inv_…`.
    InvitationId, "inv", "an invitation ID (inv_ and 26 characters)"
);

impl TokenId {
    /// A stable ID for all tokens that an OpenID Connect issuer issues to a user, which are not stored. No stored token has it,
    /// because no two IDs have the same bits.
    #[must_use]
    pub fn of_issuer_tokens(user: UserId) -> Self {
        Self(user.0)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, thread};

    use proptest::prelude::*;

    use super::*;

    fn stamps() -> impl Strategy<Value = Stamp> {
        let tails = 0..1u128 << TAIL_BITS;
        (0..=LAST_MILLISECOND, tails).prop_map(|(millisecond, tail)| Stamp { millisecond, tail })
    }

    proptest! {
        #[test]
        fn an_id_round_trips(stamp in stamps()) {
            let id = OrganizationId(stamp.uuid());
            let text = id.to_string();
            prop_assert_eq!(stamp.uuid().get_version_num(), 7);
            prop_assert_eq!(text.len(), 30);
            prop_assert_eq!(text.parse::<OrganizationId>(), Ok(id));
            prop_assert!(text.replacen("org_", "usr_", 1).parse::<OrganizationId>().is_err());
            prop_assert!(text.to_uppercase().parse::<OrganizationId>().is_err());
            prop_assert!([&text, " "].concat().parse::<OrganizationId>().is_err());
        }

        #[test]
        fn ids_sort_like_their_texts_and_times(one in stamps(), other in stamps()) {
            let (a, b) = (TokenId(one.uuid()), TokenId(other.uuid()));
            prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
            prop_assert_eq!(a.cmp(&b), (one.millisecond, one.tail).cmp(&(other.millisecond, other.tail)));
        }

        #[test]
        fn a_parsed_id_is_written_unchanged(text in "(org_)?[0-9a-z]{25,27}|.*|org_[0-7][0-9a-hjkmnp-tv-z]{25}") {
            if let Ok(id) = text.parse::<OrganizationId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }

        #[test]
        fn an_id_has_one_text(stamp in stamps(), place in 0usize..30, letter in any::<char>()) {
            let id = UserId(stamp.uuid());
            let changed: String =
                id.to_string().chars().enumerate().map(|(at, own)| if at == place { letter } else { own }).collect();
            if changed != id.to_string() {
                prop_assert_ne!(changed.parse::<UserId>(), Ok(id));
            }
        }

        #[test]
        fn the_next_stamp_is_greater_even_if_the_clock_goes_back(stamp in stamps(), now in any::<i64>()) {
            prop_assume!(stamp.millisecond < LAST_MILLISECOND);
            prop_assert!(stamp.next(UnixMillis(now)).uuid() > stamp.uuid());
        }
    }

    #[test]
    fn the_example_of_the_specification_round_trips() {
        // spec/valid.yml, "valid-uuidv7"
        let uuid = Uuid::parse_str("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        assert_eq!(encode(uuid), "01h455vb4pex5vsknk084sn02q");
        assert_eq!(decode("01h455vb4pex5vsknk084sn02q"), Some(uuid));
    }

    #[test]
    fn only_the_canonical_text_is_accepted() {
        let wrong = [
            "", "org_", "org", "01h455vb4pex5vsknk084sn02q", "_01h455vb4pex5vsknk084sn02q",
            "org_01H455VB4PEX5VSKNK084SN02Q", "org_o1h455vb4pex5vsknk084sn02q",
            "org_01h455vb4pex5vsknk084sn02", "org_01h455vb4pex5vsknk084sn02q0",
            "org_001h455vb4pex5vsknk084sn02q", "org_81h455vb4pex5vsknk084sn02q",
            "org-01h455vb4pex5vsknk084sn02q", "ORG_01h455vb4pex5vsknk084sn02q",
            "org_00000000000000000000000000", "org_7zzzzzzzzzzzzzzzzzzzzzzzzz",
        ];
        for text in wrong {
            assert!(text.parse::<OrganizationId>().is_err(), "{text}");
        }
        assert!(
            "org_01h455vb4pex5vsknk084sn02q"
                .parse::<OrganizationId>()
                .is_ok()
        );
    }

    #[test]
    fn a_full_millisecond_continues_in_the_next() {
        let full = Stamp {
            millisecond: 5,
            tail: (1 << TAIL_BITS) - 1,
        };
        assert_eq!(full.next(UnixMillis(5)).millisecond, 6);
    }

    #[test]
    fn concurrent_ids_are_distinct_and_increase_per_thread() {
        let make = |_| {
            thread::spawn(|| {
                (0..2_000)
                    .map(|_| UserId::new(UnixMillis(7)))
                    .collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..4).map(make).collect();
        let made: Vec<Vec<UserId>> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect();
        assert!(made.iter().all(|ids| ids.is_sorted()));
        assert_eq!(made.iter().flatten().collect::<HashSet<_>>().len(), 8_000);
    }

    #[test]
    fn an_id_is_shown_as_it_is_stored() {
        let id = OrganizationId::new(UnixMillis(1));
        assert_eq!(format!("{id:?}"), id.to_string());
        assert_eq!(format!("{id:>32}"), format!("  {id}"));
    }
}
