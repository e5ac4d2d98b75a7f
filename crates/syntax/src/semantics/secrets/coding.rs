//! Encodings and checksums of tokens.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Tokens are found with or without padding, and may be cut off anywhere.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// CRC-32 as in zip (ISO 3309).
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// A number in digits of a base, padded with zeros to `length`.
pub(super) fn in_base(number: u32, digits: &[u8], length: usize) -> String {
    let base = u32::try_from(digits.len()).unwrap_or(1).max(1);
    let mut rest = number;
    let mut out: Vec<char> = Vec::new();
    for _ in 0..length {
        let digit = usize::try_from(rest % base).unwrap_or_default();
        out.extend(digits.get(digit).map(|digit| char::from(*digit)));
        rest /= base;
    }
    out.iter().rev().collect()
}

pub(super) const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(super) const BASE36: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Decodes Base64 (RFC 4648), in the usual or the URL alphabet, with or without padding. A last character that holds no
/// whole byte is ignored.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text
        .trim_end_matches('=')
        .replace('-', "+")
        .replace('_', "/");
    let whole = if text.len() % 4 == 1 {
        text.len() - 1
    } else {
        text.len()
    };
    text.is_ascii()
        .then(|| LENIENT.decode(text.get(..whole)?).ok())
        .flatten()
}

/// Decodes Base32 (RFC 4648), without padding.
pub(super) fn base32(text: &str) -> Option<Vec<u8>> {
    data_encoding::BASE32_NOPAD.decode(text.as_bytes()).ok()
}

/// Whether the checksum of a Bech32 text (BIP 173) is correct.
pub(super) fn is_bech32(text: &str) -> bool {
    bech32(text, &[]) == Some(1)
}

const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The remainder of a Bech32 text followed by some values.
fn bech32(text: &str, tail: &[u32]) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let (prefix, data) = lower.rsplit_once('1')?;
    let high = prefix.bytes().map(|byte| u32::from(byte >> 5));
    let low = prefix.bytes().map(|byte| u32::from(byte & 31));
    let value = |letter| {
        BECH32
            .find(letter)
            .and_then(|place| u32::try_from(place).ok())
    };
    let data = data.chars().map(value).collect::<Option<Vec<u32>>>()?;
    Some(
        high.chain([0])
            .chain(low)
            .chain(data)
            .chain(tail.iter().copied())
            .fold(1, polymod),
    )
}

/// The checksum that a Bech32 text without one needs.
#[cfg(test)]
pub(super) fn bech32_checksum(text: &str) -> String {
    let sum = bech32(text, &[0; 6]).unwrap_or_default() ^ 1;
    let digit = |place: u32| usize::try_from(sum >> (5 * place) & 31).ok();
    (0..6)
        .rev()
        .filter_map(|place| BECH32.chars().nth(digit(place)?))
        .collect()
}

fn polymod(sum: u32, value: u32) -> u32 {
    const GENERATOR: [u32; 5] = [
        0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
    ];
    let top = sum >> 25;
    let start = ((sum & 0x01ff_ffff) << 5) ^ value;
    GENERATOR
        .iter()
        .enumerate()
        .filter(|(bit, _)| (top >> bit) & 1 == 1)
        .fold(start, |sum, (_, term)| sum ^ term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_crc_32_as_in_zip() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(in_base(61 + 62, BASE62, 6), "00001z");
        assert_eq!(in_base(35 + 36, BASE36, 7), "000001z");
    }

    #[test]
    fn encodings_conform_to_the_standards() {
        assert_eq!(base64("Zm9vYmE=").as_deref(), Some(b"fooba".as_slice()));
        assert_eq!(base64("Zm9vYmFy").as_deref(), Some(b"foobar".as_slice()));
        assert_eq!(base64("_-8").as_deref(), Some([0xff, 0xef].as_slice()));
        assert_eq!(base32("MZXW6YTB").as_deref(), Some(b"fooba".as_slice()));
        assert!(base64("a b").is_none() && base32("a1").is_none());
    }

    #[test]
    fn bech32_conforms_to_bip_173() {
        assert!(
            is_bech32("A12UEL5L")
                && is_bech32("split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w")
        );
        assert_eq!(
            bech32_checksum("split1checkupstagehandshakeupstreamerranterredcaperred"),
            "2y9e3w"
        );
        assert!(
            !is_bech32("A12UEL5X")
                && !is_bech32("split1checkupstagehandshakeupstreamerranterredcaperred2y9e3x")
        );
    }
}
