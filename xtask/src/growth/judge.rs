//! Runs a case at its sizes and compares the cost with the bounds.

use std::collections::BTreeMap;
use std::path::Path;

use super::case::Case;
use super::measure::{Cost, measure};

/// Factor on the CPU time for the dev profile: a generous estimate.
pub(super) const DEV_FACTOR: f64 = 6.0;
/// Maximum exponent of growth.
pub(super) const EXPONENT: f64 = 1.2;
/// CPU seconds too short to measure: noise, and the start of one more worker.
const NOISE: f64 = 0.3;
/// Bytes of a response: 500 findings, each with two texts, a path and a heading of 4,096 bytes.
const ANSWER: u64 = 500 * 12_000;
/// Number of attempts before a run counts as too expensive.
const TRIES: usize = 3;

/// The bounds of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Factor on the allowed CPU time.
    pub(super) factor: f64,
}

impl Bounds {
    /// CPU seconds for a diff of this size in bytes.
    pub(super) fn cpu(self, bytes: usize) -> f64 {
        self.factor * (2.0 + 4.0 * bytes as f64 / 1e6)
    }

    /// Bytes of memory per process.
    pub(super) fn memory(bytes: usize) -> u64 {
        60_000_000 + 40 * bytes as u64
    }
}

/// One size of a case.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// Bytes of the diff.
    pub(super) bytes: usize,
    pub(super) cost: Cost,
    /// Bytes of the response.
    pub(super) answer: u64,
    /// Warning codes of the response, with their numbers.
    pub(super) warnings: BTreeMap<String, usize>,
    /// Its standard error, if it failed.
    pub(super) said: String,
}

/// A completed case.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) name: String,
    pub(super) points: Vec<Point>,
    /// The problems; empty if there are none.
    pub(super) faults: Vec<String>,
}

impl Run {
    /// The fastest growth between two sizes, as an exponent of the size.
    pub(super) fn exponent(&self) -> Option<f64> {
        exponent(&self.points)
    }
}

/// Runs a case at all its sizes. After an excessive cost, larger sizes are skipped.
pub(super) fn run(
    case: &Case,
    sizes: &[usize],
    program: &Path,
    bounds: Bounds,
) -> Result<Run, String> {
    let mut run = Run {
        name: case.name.clone(),
        points: Vec::new(),
        faults: Vec::new(),
    };
    for size in case.sizes(sizes) {
        let diff = (case.diff)(size);
        let mut best: Option<Point> = None;
        for _ in 0..TRIES {
            let point = once(&diff, program, bounds)?;
            let late = point.cost.late;
            if best
                .as_ref()
                .is_none_or(|best| point.cost.cpu < best.cost.cpu)
            {
                best = Some(point);
            }
            let mut points = run.points.clone();
            points.extend(best.clone());
            if late || faults(&points, bounds).is_empty() {
                break;
            }
        }
        run.points.extend(best);
        run.faults = faults(&run.points, bounds);
        if !run.faults.is_empty() {
            break;
        }
    }
    Ok(run)
}

fn once(diff: &str, program: &Path, bounds: Bounds) -> Result<Point, String> {
    let failed = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(failed)?;
    let [stdin, stdout, stderr] = ["diff", "answer", "errors"].map(|name| folder.path().join(name));
    std::fs::write(&stdin, diff).map_err(failed)?;
    let words = [
        "review", "-", "--format", "json", "--fail-on", "never", "--no-project-config",
    ];
    // Other load on the machine makes a run slow without making it expensive.
    let seconds = (bounds.cpu(diff.len()) * 3.0) as u64 + 20;
    let cost = measure(program, &words, [&stdin, &stdout, &stderr], seconds)?;
    let answer = std::fs::read(&stdout).map_err(failed)?;
    let said = std::fs::read_to_string(&stderr).unwrap_or_default();
    let said = said
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(200)
        .collect();
    Ok(Point {
        bytes: diff.len(),
        cost,
        answer: answer.len() as u64,
        warnings: warnings(&answer),
        said,
    })
}

fn warnings(answer: &[u8]) -> BTreeMap<String, usize> {
    let answer: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default();
    let mut codes = BTreeMap::new();
    for warning in answer["metadata"]["warnings"]
        .as_array()
        .into_iter()
        .flatten()
    {
        *codes
            .entry(warning["code"].as_str().unwrap_or("?").to_owned())
            .or_default() += 1;
    }
    codes
}

/// The problems with the measured costs.
fn faults(points: &[Point], bounds: Bounds) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(exponent) = exponent(points).filter(|exponent| *exponent > EXPONENT) {
        faults.push(format!("cost grows as size^{exponent:.2}"));
    }
    for point in points {
        let Point { bytes, cost, .. } = point;
        let of = format!("of {bytes} bytes");
        if cost.late {
            faults.push(format!("a diff {of} did not end"));
        } else if !matches!(cost.status, Some(0 | 2)) {
            faults.push(format!(
                "a diff {of} ended with status {:?}: {}",
                cost.status, point.said
            ));
        }
        if cost.cpu > bounds.cpu(*bytes) {
            faults.push(format!(
                "a diff {of} took {:.1} s, of {:.1}",
                cost.cpu,
                bounds.cpu(*bytes)
            ));
        }
        if cost.memory > Bounds::memory(*bytes) {
            let [took, may] = [cost.memory, Bounds::memory(*bytes)].map(|bytes| bytes / 1_000_000);
            faults.push(format!("a diff {of} took {took} MB, of {may}"));
        }
        if point.answer > ANSWER {
            faults.push(format!(
                "a diff {of} has a response of {} bytes",
                point.answer
            ));
        }
    }
    faults
}

/// The fastest growth between two sizes. The smallest size is the baseline, and costs below the noise count as noise, so the
/// result is a lower bound.
fn exponent(points: &[Point]) -> Option<f64> {
    let (floor, rest) = points.split_first()?;
    let above = |point: &Point| (point.cost.cpu - floor.cost.cpu).max(NOISE);
    let pairs = rest
        .iter()
        .enumerate()
        .flat_map(|(at, small)| rest.iter().skip(at + 1).map(move |large| (small, large)));
    let of = |(small, large): (&Point, &Point)| {
        let size = large.bytes as f64 / small.bytes as f64;
        (size > 1.5).then(|| (above(large) / above(small)).ln() / size.ln())
    };
    pairs.filter_map(of).max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Bounds, Cost, Point, exponent, faults};

    const BOUNDS: Bounds = Bounds { factor: 1.0 };

    /// Points with these CPU times by size, and no other problem.
    fn points(took: &[(usize, f64)]) -> Vec<Point> {
        let point = |&(bytes, cpu): &(usize, f64)| {
            let cost = Cost {
                status: Some(0),
                cpu,
                own: 0.0,
                memory: 0,
                late: false,
            };
            Point {
                bytes,
                cost,
                answer: 0,
                warnings: BTreeMap::new(),
                said: String::new(),
            }
        };
        took.iter().map(point).collect()
    }

    #[test]
    fn growth_is_an_exponent_of_the_size_above_the_baseline() {
        let linear = points(&[(1_000, 0.5), (100_000, 1.0), (400_000, 2.5)]);
        assert!(
            exponent(&linear).is_some_and(|power| (power - 1.0).abs() < 0.01),
            "{:?}",
            exponent(&linear)
        );
        let square = points(&[(1_000, 0.5), (100_000, 1.0), (200_000, 2.5)]);
        assert!(
            exponent(&square).is_some_and(|power| (power - 2.0).abs() < 0.01),
            "{:?}",
            exponent(&square)
        );
        assert_eq!(faults(&linear, BOUNDS), Vec::<String>::new());
        assert_eq!(faults(&square, BOUNDS), ["cost grows as size^2.00"]);
    }

    #[test]
    fn a_limit_at_a_larger_size_does_not_hide_growth_below_it() {
        let cut = points(&[(1_000, 0.1), (100_000, 0.5), (200_000, 1.7), (400_000, 1.7)]);
        assert_eq!(faults(&cut, BOUNDS), ["cost grows as size^2.00"]);
    }

    #[test]
    fn noise_is_not_growth() {
        assert_eq!(
            faults(
                &points(&[(1_000, 0.3), (2_000, 0.31), (4_000, 0.55)]),
                BOUNDS
            ),
            Vec::<String>::new()
        );
    }

    #[test]
    fn each_bound_is_checked() {
        let spoil = |change: fn(&mut Point)| {
            let mut points = points(&[(1_000, 0.1)]);
            points.iter_mut().for_each(change);
            faults(&points, BOUNDS).join("; ")
        };
        assert_eq!(spoil(|_| ()), "");
        assert_eq!(
            spoil(|point| point.cost.status = Some(2)),
            "",
            "a refusal is a valid response"
        );
        assert!(spoil(|point| point.cost.status = Some(3)).contains("status"));
        assert!(spoil(|point| point.cost.late = true).contains("did not end"));
        assert!(spoil(|point| point.cost.cpu = 2.1).contains("took 2.1 s"));
        assert!(spoil(|point| point.cost.memory = 61_000_000).contains("61 MB"));
        assert!(spoil(|point| point.answer = 7_000_000).contains("response"));
    }
}
