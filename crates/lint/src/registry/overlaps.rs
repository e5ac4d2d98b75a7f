//! Rules that report the same defect.

/// The rules that report the same defect in different ways. One of their findings on the same line is kept.
#[derive(Clone, Copy)]
pub struct Overlaps {
    /// For each such defect, the rules that report it, by the part of their IDs after the slash. The most serious
    /// finding is kept.
    pub same_defect: &'static [&'static [&'static str]],
    /// The IDs of rules that name the defect.
    pub specific: &'static [&'static str],
    /// The IDs of rules that only report removed code. Their findings are dropped on a line on which a specific rule
    /// reports.
    pub general: &'static [&'static str],
}

impl Overlaps {
    /// No two rules report the same defect.
    pub const NONE: Self = Self {
        same_defect: &[],
        specific: &[],
        general: &[],
    };
}
