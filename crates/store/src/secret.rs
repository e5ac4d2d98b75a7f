//! Secret texts, access tokens and invitation codes, which leave the process once and are kept only as a digest.
//!
//! The form is GitHub's ("Behind GitHub's new authentication token formats", 2021): a prefix that secret scanners can
//! look for, random base 62, and a checksum, so that a typing error is found without asking the database. 178 random
//! bits cannot be guessed, so one SHA-256 is enough; a slow hash would only cost time.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::ids::random_bytes;

const RANDOM_CHARACTERS: usize = 30;
const CHECKSUM_CHARACTERS: u32 = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Defines a secret of the form prefix, 30 random characters of base 62 and 6 of their CRC-32, and its digest.
macro_rules! secret {
    ($(#[$meta:meta])* $name:ident = $prefix:literal, $(#[$digest_meta:meta])* $digest:ident) => {
        $(#[$meta])*
        pub struct $name(String);

        impl $name {
            /// Makes a new one.
            #[must_use]
            pub fn generate() -> Self {
                Self(generate($prefix))
            }

            /// Takes a text for one when it has the form and its checksum is right. Whether it was ever given out, only
            /// the database knows.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                is_sound(text.strip_prefix($prefix)?).then(|| Self(text.to_owned()))
            }

            /// The secret itself, to be shown once or sent to the service.
            #[must_use]
            pub fn expose(&self) -> &str {
                &self.0
            }

            /// What is kept of it.
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

        impl $digest {
            pub(crate) fn as_bytes(&self) -> &[u8] {
                &self.0
            }
        }

        impl fmt::Debug for $digest {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($digest), "(hidden)"))
            }
        }
    };
}

secret! {
    /// An access token: `hw_` and 36 characters. It cannot be printed by accident.
    TokenSecret = "hw_",
    /// The SHA-256 of a token, by which it is found.
    TokenDigest
}
secret! {
    /// What makes its bearer a member of an organization, once: `hwi_` and 36 characters. It cannot be printed by accident.
    InvitationCode = "hwi_",
    /// The SHA-256 of an invitation's code, by which the invitation is found.
    InvitationDigest
}

fn generate(prefix: &str) -> String {
    let mut random = String::with_capacity(RANDOM_CHARACTERS);
    while random.len() < RANDOM_CHARACTERS {
        // 248 is the greatest multiple of 62 in a byte: above it, some characters would be likelier than others.
        let fair = random_bytes::<32>().into_iter().filter(|&byte| byte < 248);
        random.extend(fair.map(base62).take(RANDOM_CHARACTERS - random.len()));
    }
    [prefix, &random, &checksum(&random)].concat()
}

/// Whether this is what [`generate`] puts after a prefix.
fn is_sound(text: &str) -> bool {
    let Some((random, sum)) = text.split_at_checked(RANDOM_CHARACTERS) else { return false };
    random.bytes().all(|byte| byte.is_ascii_alphanumeric()) && checksum(random) == sum
}

fn base62(value: u8) -> char {
    char::from(BASE62[usize::from(value % 62)])
}

fn checksum(random: &str) -> String {
    let crc = crc32fast::hash(random.as_bytes());
    (0..CHECKSUM_CHARACTERS).rev().map(|place| base62((crc / 62u32.pow(place) % 62) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_secret_is_read_back_and_no_other() {
        let secret = TokenSecret::generate();
        let text = secret.expose();
        assert_eq!(text.len(), 39);
        assert_eq!(TokenSecret::parse(text).map(|read| read.digest()), Some(secret.digest()));
        for place in 0..text.len() {
            let mut wrong = text.as_bytes().to_vec();
            wrong[place] = if wrong[place] == b'x' { b'y' } else { b'x' };
            let wrong = String::from_utf8(wrong).unwrap();
            assert!(TokenSecret::parse(&wrong).is_none(), "a typing error at {place} is found");
        }
        for wrong in ["", "hw_", &text[..38], &format!("{text}0"), &format!(" {text}"), &text.to_uppercase()] {
            assert!(TokenSecret::parse(wrong).is_none());
        }
        assert!(TokenSecret::parse(&format!("hw_{}", "é".repeat(18))).is_none());
    }

    #[test]
    fn a_secret_of_one_kind_is_none_of_the_other() {
        let (token, code) = (TokenSecret::generate(), InvitationCode::generate());
        assert!(code.expose().starts_with("hwi_") && code.expose().len() == 40);
        assert_eq!(InvitationCode::parse(code.expose()).map(|read| read.digest()), Some(code.digest()));
        assert!(TokenSecret::parse(code.expose()).is_none() && InvitationCode::parse(token.expose()).is_none());
        assert_eq!(format!("{code:?} {:?}", code.digest()), "InvitationCode(hidden) InvitationDigest(hidden)");
    }

    #[test]
    fn the_checksum_is_crc32_in_six_characters() {
        // CRC-32's check value: the digits 1 to 9 give 0xCBF43926 = 3,421,780,262.
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(checksum(""), "000000");
    }

    #[test]
    fn secrets_differ_use_the_whole_alphabet_and_stay_hidden() {
        let secrets: HashSet<String> = (0..200).map(|_| TokenSecret::generate().expose().to_owned()).collect();
        assert_eq!(secrets.len(), 200);
        let letters: HashSet<char> = secrets.iter().flat_map(|text| text[3..33].chars()).collect();
        assert_eq!(letters.len(), 62);
        let secret = TokenSecret::generate();
        assert!(!format!("{secret:?} {:?}", secret.digest()).contains(&secret.expose()[3..]));
    }
}
