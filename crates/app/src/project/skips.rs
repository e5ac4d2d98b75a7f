//! Files of a change that are skipped before git outputs their content: those that `.hunkwise.toml` ignores, and those
//! that `.gitattributes` marks as generated or third-party.

use git::attributes::Mark;
use git::changed::Changed;
use git::{Change, Git, GitError};
use review::{Warning, WarningCode};

use super::globs::Globs;
use super::{CONFIG, Sources, State, Texts, config, policy};

/// Which files of a change are skipped.
pub(crate) struct Skips<'a> {
    ignore: Globs,
    /// Where attributes are read from, if they are used.
    attributes: Option<State<'a>>,
}

impl Sources {
    /// Determines the skipped files. An unreadable configuration skips none; its error is reported when it is checked.
    pub(crate) fn skips<'a>(&self, texts: Option<&Texts>, state: State<'a>) -> Skips<'a> {
        let config = texts.and_then(|texts| {
            let (config, problems) = config::parse(CONFIG, texts.config.as_deref()?);
            problems.is_empty().then_some(config)
        });
        Skips {
            ignore: config.map(|config| config.ignore).unwrap_or_default(),
            attributes: (!self.no_project_config).then_some(state),
        }
    }
}

impl Skips<'_> {
    /// For each file, the reason for skipping it, if any.
    ///
    /// # Errors
    /// Git failed.
    pub(crate) fn of(
        &self,
        git: &Git,
        change: &Change,
        files: &[Changed],
    ) -> Result<Vec<Option<Warning>>, GitError> {
        let paths: Vec<&[u8]> = files.iter().map(Changed::path_bytes).collect();
        let marks = match self.attributes {
            Some(State::Commit(snapshot)) => snapshot.marks(&paths)?,
            Some(State::Checkout(Some(_))) => match git.before(change)? {
                Some(before) => before.marks(&paths)?,
                None => git.marks(&paths)?,
            },
            Some(State::Checkout(None)) | None => vec![None; paths.len()],
        };
        Ok(files
            .iter()
            .zip(marks)
            .map(|(file, mark)| self.reason(&file.path(), mark))
            .collect())
    }

    fn reason(&self, path: &str, mark: Option<Mark>) -> Option<Warning> {
        if self.ignore.contain(path) {
            return Some(policy::ignored_file(path));
        }
        let (code, attribute) = match mark? {
            Mark::Generated => (WarningCode::FileSkippedGenerated, "linguist-generated"),
            Mark::Vendored => (WarningCode::FileSkippedVendored, "linguist-vendored"),
        };
        Some(Warning::file(
            code,
            path,
            format!("not reviewed: .gitattributes marks it {attribute}"),
        ))
    }
}
