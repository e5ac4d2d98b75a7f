//! Carries out a plan on a host.

use std::path::Path;

use forge::{Change, Draft, Failure, Host, HostFile, Note, Posted, Thread};
use review::Diff;
use review::output::json::{FindingBody, ReviewBody};
use review::output::{counted, markdown, plain};

use super::plan::{Plan, is_same, plan};
use super::summary;
use crate::commands::print;
use crate::out;
use crate::outcome::{Error, Exit, Outcome};
use crate::output_file::append;

/// A review to publish.
pub(super) struct Publisher<'a> {
    pub(super) review: &'a ReviewBody,
    pub(super) dry_run: bool,
    /// The file for findings that may not be written to the host.
    pub(super) step_summary: Option<&'a Path>,
}

impl Publisher<'_> {
    /// Writes the comments to the host.
    ///
    /// # Errors
    /// Status 3: the host fails or its response is invalid.
    pub(super) async fn publish<H: Host>(&self, host: &H) -> Outcome {
        let change = host.change().await.map_err(Error::from)?;
        let diff = HostFile::diff_of(&change.files);
        match self.on(host, &change, &diff).await {
            Ok(report) => print(&report),
            Err(Failure::Forbidden(why)) => self.report_in_run(&why, &diff),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn on<H: Host>(
        &self,
        host: &H,
        change: &Change,
        diff: &Diff<'_>,
    ) -> Result<String, Failure> {
        let known = host.known().await?;
        let mut plan = plan(self.review, &known.threads, diff, H::STYLE);
        if self.dry_run {
            return Ok(described(&plan));
        }
        self.post(host, change, &mut plan).await?;
        for (thread, text) in &plan.update {
            host.update(thread, text).await?;
        }
        set_resolved(host, &plan.reopen, false).await?;
        set_resolved(host, &plan.resolve, true).await?;
        self.summarize(host, diff, known.summary.as_ref(), &plan.summary_only)
            .await?;
        Ok(counts(&plan))
    }

    /// Creates the new comments and returns those that the host refused, which belong in the summary.
    async fn post<H: Host>(
        &self,
        host: &H,
        change: &Change,
        plan: &mut Plan<'_>,
    ) -> Result<(), Failure> {
        if plan.create.is_empty() {
            return Ok(());
        }
        let drafts: Vec<Draft> = plan.create.iter().map(|(draft, _)| draft.clone()).collect();
        let Posted {
            mut refused,
            warning,
        } = host.post(change, &drafts).await?;
        if let Some(warning) = warning {
            out::note(&format!("warning: {warning}"));
        }
        refused.sort_unstable();
        if !refused.is_empty() {
            let what = counted(refused.len(), "comment");
            out::note(&format!(
                "warning: the host refused the place of {what}: the summary has the text"
            ));
        }
        for at in refused.into_iter().rev().filter(|at| *at < drafts.len()) {
            let (_, finding) = plan.create.remove(at);
            plan.summary_only.push(finding);
        }
        Ok(())
    }

    async fn summarize<H: Host>(
        &self,
        host: &H,
        diff: &Diff<'_>,
        before: Option<&Note>,
        listed: &[&FindingBody],
    ) -> Result<(), Failure> {
        let text = summary::text(self.review, diff, listed);
        let is_there = before.is_some_and(|note| is_same(&note.text, &text));
        if is_there || (before.is_none() && !summary::is_needed(self.review, listed)) {
            return Ok(());
        }
        host.summarize(before, &text).await
    }

    /// The token has no write permission, as in a pull request of a fork. The findings are shown in the output of the
    /// run instead.
    fn report_in_run(&self, why: &str, diff: &Diff<'_>) -> Outcome {
        let text = markdown::render(self.review, diff);
        let place = self.step_summary.map_or_else(
            || "on stdout".to_owned(),
            |file| format!("in {}", file.display()),
        );
        out::note(&format!(
            "warning: {why}\n  the token may not comment here: the findings are {place}"
        ));
        match self.step_summary {
            Some(file) => append(file, &text)
                .map(|()| Exit::Success)
                .map_err(Error::failure),
            None => print(&text),
        }
    }
}

/// Resolves or reopens conversations. A token without this permission may still comment, so a refusal is only a
/// warning.
async fn set_resolved<H: Host>(
    host: &H,
    threads: &[&Thread],
    resolved: bool,
) -> Result<(), Failure> {
    for id in threads.iter().filter_map(|thread| thread.id.as_deref()) {
        match host.set_resolved(id, resolved).await {
            Ok(()) => {}
            Err(Failure::Forbidden(why)) => {
                let remedy = "a workflow of GitHub needs the permission `contents: write` for it";
                out::note(&format!(
                    "warning: the token may not resolve conversations: {why}; {remedy}"
                ));
                return Ok(());
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

fn counts(plan: &Plan<'_>) -> String {
    format!(
        "{} posted, {} updated, {} resolved, {} reopened, {} unchanged, {} only in the summary\n",
        plan.create.len(),
        plan.update.len(),
        plan.resolve.len(),
        plan.reopen.len(),
        plan.keep.len(),
        plan.summary_only.len(),
    )
}

/// One line for each planned change.
fn described(plan: &Plan<'_>) -> String {
    let place = |finding: &FindingBody| {
        format!(
            "{}:{} {}",
            plain(&finding.file_path),
            finding.line_number,
            plain(finding.source())
        )
    };
    let thread = |verb: &str, thread: &Thread| {
        format!("{verb} {} {}\n", plain(&thread.path), thread.fingerprint)
    };
    let lines = plan
        .create
        .iter()
        .map(|(_, finding)| format!("post {}\n", place(finding)));
    let lines = lines.chain(plan.update.iter().map(|(one, _)| thread("update", one)));
    let lines = lines.chain(plan.resolve.iter().map(|one| thread("resolve", one)));
    let lines = lines.chain(plan.reopen.iter().map(|one| thread("reopen", one)));
    let lines = lines.chain(
        plan.summary_only
            .iter()
            .map(|finding| format!("summary {}\n", place(finding))),
    );
    lines.chain([counts(plan)]).collect()
}
