//! Tokens and keys of known services, told by their form.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Sink, Tests, TextContext};
use crate::secrets::{masked, tokens};

pub(crate) const RULE: Rule = Rule {
    id: "any/hard-coded-token",
    languages: &[],
    title: "Token of a service in the code",
    why: "Whoever can read the repository, its history, a fork or a backup has the token and with it the account. Public \
          repositories are searched for such tokens within minutes.",
    fix: "Withdraw the token now: deleting the line does not take it out of the history. Read the new one from the \
          environment or a secret store.",
    priority: Priority::P0,
    category: Category::SecretExposure,
    confidence: 0.9,
    tests: Tests::Include,
    check: Check::Text { run },
    // The examples are written in two parts, so that no scanner takes them for tokens of ours.
    fires: &[
        concat!("path: src/a.py\n+KEY = \"AKIA", "QYLPMN5HHHFPZAM2\"\n^\n"),
        concat!("path: config.unknown\n-stripe: ask me\n+stripe: sk_", "live_7mQ2xPz0Lr9KvB4nT6Wd\n^\n"),
        concat!("path: a.yaml\n+token: glp", "at-Zx81_kPq2vB7nM3wRt5e\n^\n"),
        concat!("path: src/test_a.py\n+token = \"ghp", "_u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsA31EpfZ\"\n^\n"),
    ],
    quiet: &[
        "path: src/a.py\n+KEY = os.environ[\"AWS_ACCESS_KEY_ID\"]\n",
        concat!(
            "path: src/a.py\n KEY = \"AKIA",
            "QYLPMN5HHHFPZAM2\"\n+DOCS = \"AKIAIOSFODNN7EXAMPLE\"\n+WRONG = \"ghp_u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsAAAAAAA\"\n"
        ),
        concat!("path: src/test_a.py\n+key = \"AKIA", "QYLPMN5HHHFPZAM2\"\n"),
    ],
};

/// In tests only what carries a right checksum is taken: made-up tokens have the right form there too.
fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for line in context.added() {
        for token in tokens(line.text) {
            if token.proven || !context.file.is_test {
                sink.report(line, format!("`{}` is {} and is written in the code.", masked(token.value), token.name));
            }
        }
    }
}
