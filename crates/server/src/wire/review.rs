//! The request and the server-sent events of a review. Its response is `review::output::json::ReviewBody`.

use review::output::json::FindingBody;
use serde::Serialize;
use utoipa::ToSchema;

/// A diff to review.
#[derive(Debug, ToSchema)]
#[schema(as = ReviewRequest)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct ReviewRequestBody {
    /// A unified diff: git's extended form (also combined, `@@@`) or plain `diff -u`, `svn diff`, `hg diff`. Not blank.
    #[schema(
        min_length = 1,
        example = "--- a/src/cart.py\n+++ b/src/cart.py\n@@ -1,2 +1,6 @@\n import json\n \n+\n+def add(item, basket=[]):\n+    basket.append(item)\n+    return basket\n"
    )]
    pub(crate) diff: String,
    /// The language of the code under review: a name or alias known to GitHub Linguist in any letter case, or `auto`.
    /// It applies to files whose path does not identify their language.
    #[schema(example = "python")]
    pub(crate) target_language: Option<String>,
    /// How much of its file each hunk contains: `files` for all of it (`git diff -U999999`), so that rules may draw
    /// conclusions from what is missing, such as a definition. `hunks` by default.
    pub(crate) diff_context: Option<DiffContextBody>,
    /// Echoed byte for byte.
    #[schema(example = "ci-4711")]
    pub(crate) client_reference: Option<String>,
    /// The purpose of the change, such as its title and description. A configured language model reads it as data,
    /// never as an instruction. It is neither stored nor echoed.
    #[schema(max_length = 4000, example = "Refund orders without a ledger")]
    pub(crate) change_description: Option<String>,
    /// Other files of the repository at the new side of the change. A language model may read them (see `lookUps` of
    /// `GET /v1/limits`). If `diffContext` is `files`, rules search them for uses of what the change removes or alters,
    /// and findings list these in `references`. No finding is on their lines. At most 400, and 4 MiB of paths and contents together. They are
    /// kept only for the request. Files that usually hold secrets (`.env`, private keys) are ignored.
    #[schema(max_items = 400)]
    pub(crate) context_files: Option<Vec<ContextFileBody>>,
    /// The paths of all files of the repository after the change, one per line, as `git ls-files` prints them: at most
    /// 50,000 lines and 4 MiB. Files of the diff may be absent. With this list rules report imports of files that do not exist, and,
    /// for files in `contextFiles`, uses of members that they do not define. Paths that a `.gitignore` file ignores are
    /// not reported. If the list has such a file and `contextFiles` does not, or the `.gitignore` files that matter for a
    /// missing path exceed 64 KiB together, everything in the folder of such a file counts as ignored.
    /// The list is kept only for the request.
    #[schema(example = ".gitignore\nsrc/cards.py\nsrc/cart.py\n")]
    pub(crate) context_paths: Option<String>,
    /// Searches that the caller made in the files of `contextPaths`. They show that a name does not occur in files that
    /// are not in `contextFiles`, as rules about undefined keys and members require. Only with `contextPaths`.
    #[schema(max_items = 100)]
    pub(crate) context_searches: Option<Vec<ContextSearchBody>>,
}

/// A search that the caller made in the repository. `contextFiles` or the diff contain every file that it found.
#[derive(Debug, ToSchema)]
#[schema(as = ContextSearch)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct ContextSearchBody {
    /// The names, as whole words (`git grep --word-regexp`).
    #[schema(max_items = 100, example = json!(["charge"]))]
    pub(crate) names: Vec<String>,
    /// The extensions of the files, without a dot; all files if absent.
    #[schema(max_items = 100, example = json!(["py"]))]
    pub(crate) extensions: Option<Vec<String>>,
}

/// A file of the repository that is not part of the change.
#[derive(Debug, ToSchema)]
#[schema(as = ContextFile)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct ContextFileBody {
    /// The path from the root of the repository, without `.`, `..` and backslashes. It must not be in the diff, and
    /// must not be repeated.
    #[schema(min_length = 1, example = "src/cards.py")]
    pub(crate) path: String,
    /// The whole text.
    #[schema(example = "def charge(order, cents):\n    ...\n")]
    pub(crate) content: String,
}

/// The findings so far: the data of a `findings` event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReviewFindings)]
pub(crate) struct FindingsBody {
    /// In the order of the response. Each is in the review as well, with the same `fingerprint`, unless a language
    /// model's finding about the same line replaces it or it exceeds the limit on findings.
    pub(crate) findings: Vec<FindingBody>,
}

/// How much of its file each hunk of a diff contains.
#[derive(Debug, ToSchema)]
#[schema(as = DiffContext)]
#[serde(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) enum DiffContextBody {
    /// A part of it.
    Hunks,
    /// All of it.
    Files,
}

/// The progress of a review: the data of a `progress` event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReviewProgress)]
pub(crate) struct ProgressBody {
    /// Chunks finished, counted once per engine.
    #[schema(example = 3)]
    pub(crate) chunks_done: usize,
    /// Chunks in all, counted once per engine.
    #[schema(example = 8)]
    pub(crate) chunks_total: usize,
    /// Findings so far, at most as many as a review returns. The review may report fewer, because duplicates are merged and
    /// the rest of the change may refute some.
    #[schema(example = 2)]
    pub(crate) findings: usize,
}

impl From<review::Progress> for ProgressBody {
    fn from(progress: review::Progress) -> Self {
        Self {
            chunks_done: progress.chunks_done,
            chunks_total: progress.chunks_total,
            findings: progress.findings,
        }
    }
}
