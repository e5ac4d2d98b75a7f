//! What was found in a part, and how the findings of a change were ranked, for the next review of the same: in memory only, bounded in
//! size and time.
//!
//! The key is a hash of all that determines the answer, the tenant first. Numbers of lines are not part of it: code that only
//! moved is the same code.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache as Quick;
use review::{DropCause, LineKind};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use crate::locate::Located;
use crate::prompt_batch::PromptBatch;
use crate::stages::ranking::Ranking;

/// Bytes that are kept at most.
const BYTES: u64 = 64 * 1024 * 1024;
/// Entries that room is planned for.
const ENTRIES: usize = 10_000;
/// How long an answer is good: models behind one name change, and people expect a fresh look some day.
const KEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// A SHA-256 digest.
pub(crate) type Key = [u8; 32];

/// What was found in a part.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) found: Vec<Located>,
    /// What was found and not kept.
    pub(crate) dropped: Vec<Lost>,
}

/// A finding that was not kept, or several of which nothing is known but their cause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lost {
    pub(crate) cause: DropCause,
    /// How many it stands for.
    pub(crate) count: usize,
    /// Where it is, if it was located.
    pub(crate) at: Option<(usize, usize, usize)>,
    /// Where it is, in the model's words.
    pub(crate) place: String,
    pub(crate) summary: String,
}

impl Lost {
    /// A located finding.
    pub(crate) fn of(cause: DropCause, located: Located) -> Self {
        Self { cause, count: 1, at: Some(located.at), place: String::new(), summary: located.summary }
    }

    /// Items that could not be read.
    pub(crate) fn unreadable(count: usize) -> Option<Self> {
        let cause = DropCause::Unreadable;
        (count > 0).then(|| Self { cause, count, at: None, place: String::new(), summary: String::new() })
    }
}

/// What is kept.
pub(crate) trait Value: Send + Sync {
    /// Bytes that it takes.
    fn bytes(&self) -> usize;
}

impl Value for Answer {
    fn bytes(&self) -> usize {
        let texts = |located: &Located| {
            let further = [&located.fix, &located.scenario].map(|text| text.as_ref().map_or(0, String::len));
            located.summary.len() + further.iter().sum::<usize>()
        };
        let found: usize = self.found.iter().map(|located| size_of::<Located>() + texts(located)).sum();
        let lost = |lost: &Lost| size_of::<Lost>() + lost.place.len() + lost.summary.len();
        found + self.dropped.iter().map(lost).sum::<usize>() + size_of::<Self>()
    }
}

impl Value for Ranking {
    fn bytes(&self) -> usize {
        size_of::<Self>() + (self.chosen.len() + self.doubted.len()) * size_of::<usize>()
    }
}

struct Kept<V> {
    value: Arc<V>,
    until: Instant,
}

impl<V> Clone for Kept<V> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), until: self.until }
    }
}

#[derive(Clone)]
struct Size;

impl<V: Value> Weighter<Key, Kept<V>> for Size {
    fn weight(&self, _: &Key, kept: &Kept<V>) -> u64 {
        (kept.value.bytes() + size_of::<Key>() + size_of::<Kept<V>>()) as u64
    }
}

/// Values of this process.
pub(crate) struct Cache<V>(Quick<Key, Kept<V>, Size>);

impl<V: Value> Default for Cache<V> {
    fn default() -> Self {
        Self(Quick::with_weighter(ENTRIES, BYTES, Size))
    }
}

impl<V: Value> Cache<V> {
    pub(crate) fn get(&self, key: &Key) -> Option<Arc<V>> {
        let kept = self.0.get(key)?;
        if kept.until <= Instant::now() {
            self.0.remove(key);
            return None;
        }
        Some(kept.value)
    }

    pub(crate) fn put(&self, key: Key, value: Arc<V>) {
        self.0.insert(key, Kept { value, until: Instant::now() + KEEP });
    }
}

/// The key of a part. `frame` is what determines the answer besides: tenant, models, effort, guidelines.
pub(crate) fn key(frame: &[&str], batch: &PromptBatch<'_>) -> Key {
    let mut hash = Fields(Sha256::new());
    frame.iter().for_each(|field| hash.field(field));
    for (at, file) in batch.files.iter().enumerate() {
        hash.field(file.shown_path.as_str());
        hash.field(file.language.map_or("", review::Language::name));
        for hunk in &file.hunks {
            hash.field(hunk.heading.as_str());
            for line in &hunk.lines {
                hash.field(kind(line.line.kind));
                hash.field(line.shown.as_str());
            }
        }
        hash.field(&at.to_string());
    }
    for hint in &batch.hints {
        let locate = batch.position(hint.candidate);
        hash.field(&format!("{locate:?}"));
        hash.field(hint.candidate.rule_id().unwrap_or_default());
        hash.field(hint.summary.as_str());
    }
    hash.0.finalize().into()
}

/// The key of a ranking: of all parts with what was found in them, and what the change is meant to do.
pub(crate) fn ranking_key(parts: &[(Key, &[Located])], description: &str) -> Key {
    let mut hash = Fields(Sha256::new());
    hash.field(description);
    for (key, found) in parts {
        hash.0.update(key);
        for located in *found {
            hash.field(&format!("{:?} {:?} {}", located.at, located.evidence, located.votes));
            hash.field(&located.summary);
        }
        // No field has this length.
        hash.0.update(u64::MAX.to_le_bytes());
    }
    hash.0.finalize().into()
}

fn kind(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => " ",
        LineKind::Added => "+",
        LineKind::Removed => "-",
    }
}

/// Fields of a hash, each with its length, so that no two lists of fields are the same bytes.
struct Fields(Sha256);

impl Fields {
    fn field(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }
}
