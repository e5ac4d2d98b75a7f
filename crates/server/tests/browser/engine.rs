//! An engine whose findings quote a hostile change.

use futures_util::future::{BoxFuture, FutureExt as _};
use review::{
    Candidate, Category, ChunkStatus, Engine, Event, LineKind, Origin, Place, Priority,
    Replacement, Report, Side, Span, Task,
};

/// Reports the first character of each added line, and quotes the line. It replaces the number in `eighth = 8`.
pub(crate) struct Quoting;

impl Engine for Quoting {
    fn name(&self) -> &'static str {
        "quoting"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        async move {
            for (at, chunk) in task.chunks.iter().enumerate() {
                report.report(Event::Started { chunk: at });
                let lines = chunk.hunks.iter().flat_map(|hunk| hunk.lines.iter());
                for line in lines.filter(|line| line.kind == LineKind::Added) {
                    let number = line.new.unwrap();
                    let span = |column| Span {
                        start_column: column,
                        end_line: number,
                        end_column: column + 1,
                    };
                    let replacement = line.text.starts_with("eighth").then(|| Replacement {
                        line: number,
                        span: span(10),
                        text: "9".to_owned(),
                    });
                    report.report(Event::Found(Candidate {
                        file: chunk.index,
                        side: Side::New,
                        line: number,
                        origin: Origin::Rule("test/added-line".into()),
                        priority: if number % 2 == 0 {
                            Priority::P1
                        } else {
                            Priority::P3
                        },
                        category: if number % 2 == 0 {
                            Category::Security
                        } else {
                            Category::LogicBug
                        },
                        summary: format!(
                            "Line {number} of file {} has: {}",
                            chunk.index, line.text
                        ),
                        suggested_fix: Some(format!("Remove {}", line.text)),
                        confidence: 0.9,
                        scope: None,
                        span: (!line.text.is_empty()).then(|| span(1)),
                        related: vec![Place {
                            file: chunk.index,
                            side: Side::New,
                            line: number,
                        }],
                        references: Vec::new(),
                        replacement,
                        lowered_in_test_code: false,
                        suppression: None,
                    }));
                }
                report.report(Event::Ended {
                    chunk: at,
                    status: ChunkStatus::Done,
                });
            }
        }
        .boxed()
    }
}
