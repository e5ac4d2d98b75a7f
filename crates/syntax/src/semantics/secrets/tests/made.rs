//! Generates a text that matches a pattern.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassBytes, Hir, HirKind};

use crate::semantics::secrets::coding::{BASE36, BASE62, crc32, in_base};
use crate::semantics::secrets::detector::Detector;

/// A source of pseudo-random numbers, the same in every run.
pub(in crate::semantics::secrets) struct Maker(u64);

impl Maker {
    pub(in crate::semantics::secrets) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound.max(1)
    }

    /// A line, or several, with a match of a detector, and a path that it applies to.
    pub(in crate::semantics::secrets) fn example(
        &mut self,
        detector: &Detector,
    ) -> (String, String) {
        let path = format!("src/a{}", self.text(detector.path));
        let text = self
            .sealed(detector.id)
            .unwrap_or_else(|| self.text(detector.pattern));
        // A pattern need not contain its keyword, but a line with a secret does.
        let has_keyword = detector
            .keywords
            .iter()
            .any(|word| text.to_ascii_lowercase().contains(word));
        let keyword = detector
            .keywords
            .first()
            .filter(|_| !has_keyword)
            .copied()
            .unwrap_or_default();
        (format!("{keyword} {text}"), path)
    }

    fn text(&mut self, pattern: &str) -> String {
        let hir = ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .unwrap();
        let mut out = Vec::new();
        self.add(&hir, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn add(&mut self, hir: &Hir, out: &mut Vec<u8>) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => out.extend(&*literal.0),
            HirKind::Class(Class::Bytes(class)) => out.push(self.byte(class)),
            HirKind::Class(Class::Unicode(class)) => self.add(
                &Hir::class(Class::Bytes(class.to_byte_class().unwrap())),
                out,
            ),
            HirKind::Repetition(repetition) => {
                let least = repetition.min as usize;
                let most = repetition
                    .max
                    .map_or(least + 3, |most| most as usize)
                    .min(least + 3);
                for _ in 0..least + self.below(most - least + 1) {
                    self.add(&repetition.sub, out);
                }
            }
            HirKind::Capture(capture) => self.add(&capture.sub, out),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.add(part, out)),
            HirKind::Alternation(parts) => {
                let chosen = self.below(parts.len());
                self.add(&parts[chosen], out);
            }
        }
    }

    /// A byte of a class, printable if possible.
    fn byte(&mut self, class: &ClassBytes) -> u8 {
        let all: Vec<u8> = class
            .iter()
            .flat_map(|range| range.start()..=range.end())
            .collect();
        if let [upper, lower] = all.as_slice()
            && upper.eq_ignore_ascii_case(lower)
        {
            return *upper;
        }
        let seen: Vec<u8> = all
            .iter()
            .copied()
            .filter(|byte| matches!(byte, b' '..=b'~'))
            .collect();
        if seen.is_empty() {
            b'\n'
        } else {
            seen[self.below(seen.len())]
        }
    }

    /// Formats with an inside that must be correct too.
    fn sealed(&mut self, detector: &str) -> Option<String> {
        let random = |maker: &mut Self| maker.text("[A-Za-z0-9]{30}");
        let prefix = match detector {
            "github-pat" => "ghp_",
            "github-oauth" => "gho_",
            "github-app-token" => "ghs_",
            "github-refresh-token" => "ghr_",
            "npm-access-token" => "npm_",
            "hunkwise-token" => "hw_",
            _ => return self.sealed_otherwise(detector),
        };
        let random = random(self);
        Some(format!(
            "{prefix}{random}{}",
            in_base(crc32(random.as_bytes()), BASE62, 6)
        ))
    }

    fn sealed_otherwise(&mut self, detector: &str) -> Option<String> {
        Some(match detector {
            "gitlab-pat-routable" | "gitlab-runner-authentication-token-routable" => {
                let start = if detector.contains("runner") {
                    "glrt-t1_"
                } else {
                    "glpat-"
                };
                let before = format!("{start}{}.01.0z", self.text("[A-Za-z0-9_-]{40}"));
                // The pattern allows one dot only.
                let before = before.replacen(".01.", ".", 1);
                format!("{before}{}", in_base(crc32(before.as_bytes()), BASE36, 7))
            }
            "grafana-service-account-token" => {
                let before = format!("glsa_{}", self.text("[A-Za-z0-9]{32}"));
                format!("{before}_{:08x}", crc32(before.as_bytes()).swap_bytes())
            }
            "age-secret-key" => age(&self.text("[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{52}")),
            "jwt" => self.web_token(),
            "jwt-base64" => base64_of(self.web_token().as_bytes()),
            "discord-bot-token" => {
                let user = base64_of(self.text("[1-9][0-9]{17}").as_bytes());
                format!(
                    "{user}.{}.{}",
                    self.text("[A-Za-z0-9]{6}"),
                    self.text("[A-Za-z0-9]{38}")
                )
            }
            _ => return None,
        })
    }

    fn web_token(&mut self) -> String {
        let body = format!(
            "{{\"sub\":\"{}\",\"admin\":true}}",
            self.text("[a-z0-9]{12}")
        );
        format!(
            "{}.{}.{}",
            base64_of(b"{\"alg\":\"HS256\"}"),
            base64_of(body.as_bytes()),
            self.text("[A-Za-z0-9]{43}")
        )
    }
}

/// Base 64 of the URL alphabet without padding.
fn base64_of(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let six = |bits: &[u8]| bits.iter().fold(0, |sum, bit| sum << 1 | bit) << (6 - bits.len());
    bits.chunks(6)
        .map(|bits| char::from(ALPHABET[usize::from(six(bits))]))
        .collect()
}

/// An age key: Bech32, with the checksum found by trying its last characters one by one.
fn age(data: &str) -> String {
    let mut key = format!("AGE-SECRET-KEY-1{}", data.to_uppercase());
    key.push_str(&crate::semantics::secrets::coding::bech32_checksum(&key).to_uppercase());
    key
}
