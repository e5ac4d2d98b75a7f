//! Secrets: access tokens and invitation codes. They are shown once and stored only as a digest.
//!
//! The format is GitHub's ("Behind GitHub's new authentication token formats", 2021): a prefix for secret scanners, random
//! base 62, and a checksum that catches typing errors without a query. 178 random bits or more cannot be guessed, so one SHA-256
//! is enough; a slow hash would only cost time.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::ids::random_bytes;

/// Random characters of a secret that people copy: 178 bits.
const SHORT: usize = 30;
/// Random characters of a secret that only browsers hold: 256 bits.
const LONG: usize = 43;
const CHECKSUM_CHARACTERS: u32 = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Defines a secret (prefix, random characters of base 62, 6 characters of their CRC-32) and its digest.
macro_rules! secret {
    ($(#[$meta:meta])* $name:ident = $prefix:literal $length:ident, $(#[$digest_meta:meta])* $digest:ident) => {
        $(#[$meta])*
        pub struct $name(String);

        impl $name {
            /// Generates a new secret.
            #[must_use]
            pub fn generate() -> Self {
                Self(generate($prefix, $length))
            }

            /// Parses a text of the right form with a correct checksum. Whether the secret was ever issued is known
            /// only to the database.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                is_sound(text.strip_prefix($prefix)?, $length).then(|| Self(text.to_owned()))
            }

            /// The secret itself, to be shown once or sent to the service.
            #[must_use]
            pub fn expose(&self) -> &str {
                &self.0
            }

            /// The digest, which is stored.
            #[must_use]
            pub fn digest(&self) -> $digest {
                $digest(Sha256::digest(&self.0).into())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(hidden)"))
            }
        }

        $(#[$digest_meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $digest([u8; 32]);

        impl fmt::Debug for $digest {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($digest), "(hidden)"))
            }
        }
    };
}

secret! {
    /// An access token: `hw_` and 36 characters. Its `Debug` form is redacted.
    TokenSecret = "hw_" SHORT,
    /// The SHA-256 of an access token, used to look it up.
    TokenDigest
}
secret! {
    /// An invitation code: `hwi_` and 36 characters. Its `Debug` form is redacted.
    InvitationCode = "hwi_" SHORT,
    /// The SHA-256 of an invitation code, used to look up the invitation.
    InvitationDigest
}
secret! {
    /// The secret in the cookie of a signed-in browser: `hws_` and 49 characters. Its `Debug` form is redacted.
    SessionSecret = "hws_" LONG,
    /// The SHA-256 of a session's secret, used to look up the session.
    SessionDigest
}
secret! {
    /// The secret of a browser's attempt to sign in with the OpenID Connect issuer: `hwa_` and 49 characters. Its
    /// `Debug` form is redacted.
    AttemptSecret = "hwa_" LONG,
    /// The SHA-256 of an attempt's secret, used to look up the attempt.
    AttemptDigest
}
secret! {
    /// The code in a single-use sign-in link: `hwl_` and 36 characters. Its `Debug` form is redacted.
    SignInCode = "hwl_" SHORT,
    /// The SHA-256 of a sign-in code, used to recognize it.
    SignInDigest
}

/// Digests stored in columns.
macro_rules! stored {
    ($($digest:ident)+) => { $(
        impl $digest {
            pub(crate) fn as_bytes(&self) -> &[u8] {
                &self.0
            }
        }
    )+ };
}

stored!(TokenDigest InvitationDigest SessionDigest AttemptDigest);

fn generate(prefix: &str, length: usize) -> String {
    let mut random = String::with_capacity(length);
    while random.len() < length {
        // 248 is the greatest multiple of 62 in a byte; accepting more would bias the characters.
        let fair = random_bytes::<32>().into_iter().filter(|&byte| byte < 248);
        random.extend(fair.map(base62).take(length - random.len()));
    }
    [prefix, &random, &checksum(&random)].concat()
}

/// Whether the text has the form of the part that [`generate`] puts after the prefix.
fn is_sound(text: &str, length: usize) -> bool {
    let Some((random, sum)) = text.split_at_checked(length) else {
        return false;
    };
    random.bytes().all(|byte| byte.is_ascii_alphanumeric()) && checksum(random) == sum
}

fn base62(value: u8) -> char {
    char::from(BASE62[usize::from(value % 62)])
}

fn checksum(random: &str) -> String {
    let crc = crc32fast::hash(random.as_bytes());
    (0..CHECKSUM_CHARACTERS)
        .rev()
        .map(|place| base62((crc / 62u32.pow(place) % 62) as u8))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn only_a_valid_secret_parses() {
        let secret = TokenSecret::generate();
        let text = secret.expose();
        assert_eq!(text.len(), 39);
        assert_eq!(
            TokenSecret::parse(text).map(|read| read.digest()),
            Some(secret.digest())
        );
        for place in 0..text.len() {
            let mut wrong = text.as_bytes().to_vec();
            wrong[place] = if wrong[place] == b'x' { b'y' } else { b'x' };
            let wrong = String::from_utf8(wrong).unwrap();
            assert!(
                TokenSecret::parse(&wrong).is_none(),
                "a typing error at {place} is detected"
            );
        }
        for wrong in [
            "",
            "hw_",
            &text[..38],
            &format!("{text}0"),
            &format!(" {text}"),
            &text.to_uppercase(),
        ] {
            assert!(TokenSecret::parse(wrong).is_none());
        }
        assert!(TokenSecret::parse(&format!("hw_{}", "é".repeat(18))).is_none());
    }

    #[test]
    fn kinds_of_secrets_are_not_interchangeable() {
        let (token, code) = (TokenSecret::generate(), InvitationCode::generate());
        assert!(code.expose().starts_with("hwi_") && code.expose().len() == 40);
        assert_eq!(
            InvitationCode::parse(code.expose()).map(|read| read.digest()),
            Some(code.digest())
        );
        assert!(
            TokenSecret::parse(code.expose()).is_none()
                && InvitationCode::parse(token.expose()).is_none()
        );
        assert_eq!(
            format!("{code:?} {:?}", code.digest()),
            "InvitationCode(hidden) InvitationDigest(hidden)"
        );
    }

    #[test]
    fn browser_secrets_have_256_random_bits() {
        let secret = SessionSecret::generate();
        let random = secret.expose().len() - "hws_".len() - CHECKSUM_CHARACTERS as usize;
        assert_eq!(
            random, 43,
            "62 to the power of 43 is more than 2 to the power of 256"
        );
        assert!(
            SessionSecret::parse(secret.expose()).is_some()
                && SignInCode::parse(secret.expose()).is_none()
        );
        assert_eq!(
            format!("{secret:?} {:?}", secret.digest()),
            "SessionSecret(hidden) SessionDigest(hidden)"
        );
    }

    #[test]
    fn the_checksum_is_crc32_in_six_characters() {
        // CRC-32's check value: that of the digits 1 to 9 is 0xCBF43926 = 3,421,780,262.
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(checksum(""), "000000");
    }

    #[test]
    fn secrets_differ_use_the_whole_alphabet_and_are_not_printed() {
        let secrets: HashSet<String> = (0..200)
            .map(|_| TokenSecret::generate().expose().to_owned())
            .collect();
        assert_eq!(secrets.len(), 200);
        let letters: HashSet<char> = secrets
            .iter()
            .flat_map(|text| text[3..33].chars())
            .collect();
        assert_eq!(letters.len(), 62);
        let secret = TokenSecret::generate();
        assert!(!format!("{secret:?} {:?}", secret.digest()).contains(&secret.expose()[3..]));
    }
}
