//! Prints the result of a review in each requested format and derives the exit status.

use std::path::PathBuf;

use lint::RuleInfo;
use review::output::json::{self, ReviewBody};
use review::output::pretty::View;
use review::output::{Format, Gate, RuleText, Subject, github, pretty};
use review::{Diff, Review, TokenUsage, Warning, WarningCode};

use super::preview::Preview;
use super::targets::Target;
use super::verdict::verdict;
use crate::analysis::request_id::request_id;
use crate::out;
use crate::outcome::{Error, Exit, Outcome};
use crate::output_file::append;
use crate::project::Project;

/// How to show the result.
pub(super) struct Report {
    /// The formats; never empty.
    pub(super) targets: Vec<Target>,
    /// Which findings fail the run; by default as configured in the repository.
    pub(super) gate: Option<Gate>,
    /// Whether source code that was not reviewed fails the run as well.
    pub(super) strict: bool,
    /// The file for findings that GitHub does not show as annotations.
    pub(super) step_summary: Option<PathBuf>,
    /// Whether the text for terminals includes the confidence of each finding.
    pub(super) verbose: bool,
}

impl Report {
    /// Shows a finished review.
    ///
    /// # Errors
    /// It cannot be written, or too little was reviewed.
    pub(super) fn show(&self, body: &ReviewBody, diff: &Diff<'_>, project: &Project) -> Outcome {
        self.print_warnings(body);
        self.write_all(body, diff, project)?;
        verdict(body, self.gate(project), self.strict)
    }

    /// Shows a patch instead of the findings. The exit status is that of the findings.
    ///
    /// # Errors
    /// It cannot be written, or too little was reviewed.
    pub(super) fn show_patch(&self, patch: &str, body: &ReviewBody, project: &Project) -> Outcome {
        print_notes(body);
        self.write(patch)?;
        verdict(body, self.gate(project), self.strict)
    }

    fn gate(&self, project: &Project) -> Gate {
        self.gate.or(project.policy.fail_on()).unwrap_or_default()
    }

    /// Reports that there was nothing to review. This is not an error: it is common in hooks and CI.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn nothing(&self) -> Outcome {
        let sentence = "no changes to review";
        let shown = |target: &Target| target.format == Format::Pretty && target.file.is_none();
        if !self.targets.iter().any(shown) {
            out::note(sentence);
        }
        self.each(|target| match target.format {
            Format::Pretty => format!("{sentence}\n"),
            format => render_empty(format),
        })
    }

    /// The format of a preview.
    ///
    /// # Errors
    /// There are several formats, or previews do not support it.
    pub(super) fn format_of_preview(&self, preview: Preview) -> Result<Format, Error> {
        match self.targets.as_slice() {
            [
                Target {
                    format: format @ (Format::Pretty | Format::Json),
                    ..
                },
            ] => Ok(*format),
            _ => Err(Error::usage(format!(
                "{}: expected a single --format, pretty or json",
                preview.option()
            ))),
        }
    }

    /// Writes the same text to each target.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, text: &str) -> Outcome {
        self.each(|_| text.to_owned())
    }

    fn write_all(&self, body: &ReviewBody, diff: &Diff<'_>, project: &Project) -> Outcome {
        let rules = |id: &str| rule_text(id, project);
        let subject = Subject {
            body,
            diff,
            gate: self.gate(project),
            rules: &rules,
            mask: syntax::semantics::secrets::shown_code,
        };
        let summarised = self.summarise(&subject);
        // For stdout, colour is stripped if it is unwanted.
        let written = self.each(|target| {
            target.format.render(
                &subject,
                View {
                    colour: target.file.is_none(),
                    verbose: self.verbose,
                },
            )
        });
        summarised.map_err(Error::failure).and(written)
    }

    /// Writes the text of each target. A failed target does not prevent the others from being written.
    fn each(&self, text: impl Fn(&Target) -> String) -> Outcome {
        let written = self
            .targets
            .iter()
            .map(|target| target.write(&text(target)));
        let failures: Vec<String> = written.filter_map(Result::err).collect();
        if failures.is_empty() {
            Ok(Exit::Success)
        } else {
            Err(Error::failure(failures.join("\n  ")))
        }
    }

    fn summarise(&self, subject: &Subject<'_>) -> Result<(), String> {
        let annotates = self
            .targets
            .iter()
            .any(|target| target.format == Format::Github);
        let Some(file) = self.step_summary.as_deref().filter(|_| annotates) else {
            return Ok(());
        };
        github::summary(subject.body, subject.diff).map_or(Ok(()), |text| append(file, &text))
    }

    /// Prints the warnings that no format shows on stderr. A warning that the change affects its own review is always
    /// printed unless the terminal output shows it.
    fn print_warnings(&self, body: &ReviewBody) {
        if !self
            .targets
            .iter()
            .any(|target| target.format.shows_warnings())
        {
            return print_notes(body);
        }
        if !self
            .targets
            .iter()
            .any(|target| target.format == Format::Pretty && target.file.is_none())
        {
            let code = WarningCode::ConfigurationChanged.as_str();
            let of_changes = body
                .metadata
                .warnings
                .iter()
                .filter(|warning| warning.code == code);
            of_changes.for_each(|warning| out::note(&format!("note: {}", warning.message)));
        }
    }
}

fn print_notes(body: &ReviewBody) {
    for line in pretty::notes(body).lines() {
        out::note(line);
    }
}

/// The result for a change with nothing left to review.
pub(super) fn empty(warnings: Vec<Warning>) -> ReviewBody {
    let review = Review {
        findings: Vec::new(),
        warnings,
        dropped: Vec::new(),
        chunks_analyzed: 0,
        chunks_by_model: 0,
        test_files: Vec::new(),
        suppressed: Vec::new(),
        usage: TokenUsage::default(),
        engines: Vec::new(),
        model: None,
        model_use: None,
    };
    json::body(&request_id(), None, &review, 0)
}

fn render_empty(format: Format) -> String {
    let body = empty(Vec::new());
    let diff = Diff::default();
    let subject = Subject {
        body: &body,
        diff: &diff,
        gate: Gate::default(),
        rules: &|_| None,
        mask: syntax::semantics::secrets::shown_code,
    };
    format.render(&subject, View::default())
}

/// The texts of a built-in or custom rule.
fn rule_text(id: &str, project: &Project) -> Option<RuleText> {
    let own = project
        .rules
        .iter()
        .map(|rule| &rule.info)
        .find(|info| info.id == id)
        .cloned();
    let info: RuleInfo = own.or_else(|| rules::catalog().info(id))?;
    let page = lint::pages::page(&info);
    let consequence = (info.priority != info.consequence).then_some(info.consequence);
    Some(RuleText {
        title: info.title,
        why: info.why,
        fix: info.fix,
        page,
        consequence,
    })
}
