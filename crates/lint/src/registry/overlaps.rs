//! Which rules report the same defect.

/// The rules that report the same defect in different ways. Of their findings on one line, one is kept.
#[derive(Clone, Copy)]
pub struct Overlaps {
    /// For each such defect, the rules that report it, by the part of their IDs after the slash. The most serious finding is kept.
    pub same_defect: &'static [&'static [&'static str]],
    /// The IDs of rules whose findings name the defect.
    pub specific: &'static [&'static str],
    /// The IDs of rules whose findings only say what was taken away. They are dropped on a line where a specific rule reports.
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
