//! Results for parts of a change, reused by the next review of the same part. Kept in memory only, bounded in size and
//! time.
//!
//! The key is a hash of everything that determines the answer, beginning with the tenant. Line numbers are not part of
//! it: code that only moved is the same code.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache as Quick;
use review::{DropCause, LineKind, Opinion};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use crate::locate::Located;
use crate::prompt_batch::PromptBatch;

/// Maximum size in bytes.
const BYTES: u64 = 64 * 1024 * 1024;
/// Expected number of entries.
const ENTRIES: usize = 10_000;
/// Time to live. The model of a name may change, and users expect a fresh result after a while.
const KEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// A SHA-256 digest.
pub(crate) type Key = [u8; 32];

/// The result for a part.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) found: Vec<Located>,
    /// Findings that were not kept.
    pub(crate) dropped: Vec<Lost>,
    /// Opinions on findings of other engines, each with the index of the finding among the hints of the part.
    pub(crate) opinions: Vec<(usize, Opinion)>,
}

/// A finding that was not kept, or several of which only the cause is known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lost {
    pub(crate) cause: DropCause,
    /// How many findings it represents.
    pub(crate) count: usize,
    /// Its location, in the model's words.
    pub(crate) place: String,
    pub(crate) summary: String,
}

impl Lost {
    /// Items that could not be parsed.
    pub(crate) fn unreadable(count: usize) -> Option<Self> {
        let cause = DropCause::Unreadable;
        (count > 0).then(|| Self {
            cause,
            count,
            place: String::new(),
            summary: String::new(),
        })
    }
}

impl Answer {
    /// Size in bytes.
    fn bytes(&self) -> usize {
        let fix = |located: &Located| located.fix.as_ref().map_or(0, String::len);
        let proof = |located: &Located| located.proof.as_ref().map_or(0, String::len);
        let found = |located: &Located| {
            size_of::<Located>() + located.summary.len() + fix(located) + proof(located)
        };
        let lost = |lost: &Lost| size_of::<Lost>() + lost.place.len() + lost.summary.len();
        let opinion = |opinion: &(usize, Opinion)| {
            let reason = match &opinion.1 {
                Opinion::Confirmed => 0,
                Opinion::Refuted(reason) => reason.len(),
            };
            size_of::<(usize, Opinion)>() + reason
        };
        self.found.iter().map(found).sum::<usize>()
            + self.opinions.iter().map(opinion).sum::<usize>()
            + self.dropped.iter().map(lost).sum::<usize>()
            + size_of::<Self>()
    }
}

#[derive(Clone)]
struct Kept {
    answer: Arc<Answer>,
    until: Instant,
}

#[derive(Clone)]
struct Size;

impl Weighter<Key, Kept> for Size {
    fn weight(&self, _: &Key, kept: &Kept) -> u64 {
        (kept.answer.bytes() + size_of::<Key>() + size_of::<Kept>()) as u64
    }
}

/// The cached answers of this process.
pub(crate) struct Cache(Quick<Key, Kept, Size>);

impl Default for Cache {
    fn default() -> Self {
        Self(Quick::with_weighter(ENTRIES, BYTES, Size))
    }
}

impl Cache {
    pub(crate) fn get(&self, key: &Key) -> Option<Arc<Answer>> {
        let kept = self.0.get(key)?;
        if kept.until <= Instant::now() {
            self.0.remove(key);
            return None;
        }
        Some(kept.answer)
    }

    pub(crate) fn put(&self, key: Key, answer: Arc<Answer>) {
        self.0.insert(
            key,
            Kept {
                answer,
                until: Instant::now() + KEEP,
            },
        );
    }
}

/// The key of a part. `frame` holds the rest of what determines the answer: tenant, models, guidelines, description.
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
        hash.field(if hint.is_fact() { "fact" } else { "" });
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

/// Hashed fields. Each is preceded by its length, so that different lists of fields have different bytes.
struct Fields(Sha256);

impl Fields {
    fn field(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }
}
