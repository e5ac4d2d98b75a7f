//! Questions about the texts of a request whose cost depends on what these texts contain.
//!
//! They are answered outside the process that serves requests, by a [`QueryRunner`]: in a worker process, with limits on
//! memory and time, and only as long as the caller waits.

use std::borrow::Cow;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::ignored::IgnoreRules;
use super::words::occurrences;

/// A question about texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Query<'a> {
    /// How often each text mentions each name, as a whole word.
    Mentions {
        /// The names.
        #[serde(borrow)]
        names: Vec<Cow<'a, str>>,
        /// The texts.
        #[serde(borrow)]
        texts: Vec<Cow<'a, str>>,
        /// Counting a name in a text stops here.
        most: usize,
    },
    /// Which paths git ignores.
    Ignored {
        /// The paths.
        #[serde(borrow)]
        paths: Vec<Cow<'a, str>>,
        /// The `.gitignore` files of the repository: their paths, and their texts where these are known.
        #[serde(borrow)]
        files: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
    },
}

/// The answer to a [`Query`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryAnswer {
    /// Those that are not zero.
    Mentions(Vec<Mentioned>),
    /// The positions of the ignored paths, in ascending order.
    Ignored(Vec<usize>),
}

/// How often a text mentions a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mentioned {
    /// The position of the text.
    pub text: usize,
    /// The position of the name.
    pub name: usize,
    /// At least 1.
    pub count: usize,
}

/// Why a query has no answer: it took too long or too much memory, or no worker could be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search failed")]
pub struct QueryFailure;

/// Runs queries outside of the process that serves requests.
pub trait QueryRunner: Send + Sync {
    /// Answers a query. Dropping the returned future ends the work.
    fn run<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<QueryAnswer, QueryFailure>>;
}

impl Query<'_> {
    /// Answers the query in the calling thread.
    #[must_use]
    pub fn answer(&self) -> QueryAnswer {
        match self {
            Self::Mentions { names, texts, most } => {
                QueryAnswer::Mentions(mentions(names, texts, *most))
            }
            Self::Ignored { paths, files } => {
                let files = files.iter().map(|(path, text)| (&**path, text.as_deref()));
                let rules = IgnoreRules::new(files, &paths.iter().map(|path| &**path));
                let ignored = paths
                    .iter()
                    .enumerate()
                    .filter(|(_, path)| rules.ignores(path));
                QueryAnswer::Ignored(ignored.map(|(at, _)| at).collect())
            }
        }
    }

    /// Whether an answer, which may come from a hostile process, has the form of this query's answers.
    #[must_use]
    pub fn accepts(&self, answer: &QueryAnswer) -> bool {
        match (self, answer) {
            (Self::Mentions { names, texts, most }, QueryAnswer::Mentions(found)) => {
                found.iter().all(|one| {
                    one.text < texts.len()
                        && one.name < names.len()
                        && (1..=*most).contains(&one.count)
                })
            }
            (Self::Ignored { paths, .. }, QueryAnswer::Ignored(found)) => {
                found.iter().all(|at| *at < paths.len()) && found.is_sorted()
            }
            _ => false,
        }
    }
}

fn mentions(names: &[Cow<'_, str>], texts: &[Cow<'_, str>], most: usize) -> Vec<Mentioned> {
    let mut found = Vec::new();
    for (text, content) in texts.iter().enumerate() {
        for (name, wanted) in names.iter().enumerate() {
            let count = occurrences(content, wanted).take(most).count();
            found.extend((count > 0).then_some(Mentioned { text, name, count }));
        }
    }
    found
}

/// Answers queries in the calling thread, where the caller is the only one to be harmed: in tests and measurements.
#[derive(Debug, Clone, Copy, Default)]
pub struct InThisThread;

impl QueryRunner for InThisThread {
    fn run<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<QueryAnswer, QueryFailure>> {
        Box::pin(std::future::ready(Ok(query.answer())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mentioned, Query, QueryAnswer};

    fn mentioned(text: usize, name: usize, count: usize) -> Mentioned {
        Mentioned { text, name, count }
    }

    #[test]
    fn names_are_counted_up_to_the_limit() {
        let query = Query::Mentions {
            names: vec!["a".into(), "b".into()],
            texts: vec!["a, a and a".into(), "ab".into(), "b".into()],
            most: 2,
        };
        let expected = QueryAnswer::Mentions(vec![mentioned(0, 0, 2), mentioned(2, 1, 1)]);
        assert_eq!(query.answer(), expected);
        assert!(query.accepts(&expected));
    }

    #[test]
    fn answers_of_another_form_are_not_accepted() {
        let names = Query::Mentions {
            names: vec!["a".into()],
            texts: vec!["a".into()],
            most: 2,
        };
        for wrong in [
            mentioned(1, 0, 1),
            mentioned(0, 1, 1),
            mentioned(0, 0, 0),
            mentioned(0, 0, 3),
        ] {
            assert!(
                !names.accepts(&QueryAnswer::Mentions(vec![wrong])),
                "{wrong:?}"
            );
        }
        let paths = Query::Ignored {
            paths: vec!["a".into(), "b".into()],
            files: Vec::new(),
        };
        for (answer, expected) in [(vec![0, 1], true), (vec![1, 0], false), (vec![2], false)] {
            assert_eq!(paths.accepts(&QueryAnswer::Ignored(answer)), expected);
        }
        assert!(!paths.accepts(&QueryAnswer::Mentions(Vec::new())));
    }
}
