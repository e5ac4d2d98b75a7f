//! Metrics in Prometheus' text format 0.0.4, for scrapers that don't read OpenMetrics.
//!
//! The formats differ in three ways: OpenMetrics names a counter without the suffix `_total` of its samples, has units and the
//! type `info`, and ends with `# EOF` (<https://prometheus.io/docs/instrumenting/exposition_formats/>).

use std::collections::HashMap;
use std::fmt::Write as _;

/// Converts a page of OpenMetrics.
pub(crate) fn of_open_metrics(page: &str) -> String {
    let types: HashMap<&str, &str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .collect();
    let mut text = String::with_capacity(page.len());
    for line in page.lines() {
        let Some((keyword, rest)) = line
            .strip_prefix("# ")
            .map(|rest| rest.split_once(' ').unwrap_or((rest, "")))
        else {
            let _ = writeln!(text, "{line}");
            continue;
        };
        let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let (suffix, value) = match (types.get(name), keyword) {
            (_, "UNIT" | "EOF") => continue,
            (Some(&"counter"), _) => ("_total", value),
            (Some(&"info"), "TYPE") => ("_info", "gauge"),
            (Some(&"info"), _) => ("_info", value),
            (Some(&"unknown"), "TYPE") => ("", "untyped"),
            _ => ("", value),
        };
        let _ = writeln!(text, "# {keyword} {name}{suffix} {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::of_open_metrics;

    #[test]
    fn names_types_and_ends_are_those_of_the_text_format() {
        let page = "# HELP build The binary.\n# TYPE build info\nbuild_info{version=\"1\"} 1\n\
            # HELP requests Answered.\n# TYPE requests counter\nrequests_total{method=\"GET\"} 2\n\
            # HELP wait_seconds Waits.\n# TYPE wait_seconds histogram\n# UNIT wait_seconds seconds\nwait_seconds_count 3\n\
            # HELP open Open.\n# TYPE open gauge\nopen 4\n# EOF\n";
        let expected = "# HELP build_info The binary.\n# TYPE build_info gauge\nbuild_info{version=\"1\"} 1\n\
            # HELP requests_total Answered.\n# TYPE requests_total counter\nrequests_total{method=\"GET\"} 2\n\
            # HELP wait_seconds Waits.\n# TYPE wait_seconds histogram\nwait_seconds_count 3\n\
            # HELP open Open.\n# TYPE open gauge\nopen 4\n";
        assert_eq!(of_open_metrics(page), expected);
    }
}
