//! The evidence for the built-in rules, generated from the ledger.

use lint::{Evidence, EvidenceRow, EvidenceTable as Table};

pub(crate) const TABLE: Table = include!("../data/evidence.rs");

const fn counts(of: [u32; 9], [useful, wrong]: [u32; 2]) -> Evidence {
    let [
        bugs,
        fixes,
        arrivals,
        merged,
        trees,
        suites,
        suites_clean,
        mistakes,
        twins,
    ] = of;
    Evidence {
        bugs,
        fixes,
        arrivals,
        merged,
        trees,
        suites,
        suites_clean,
        mistakes,
        twins,
        useful,
        wrong,
    }
}

const fn row(id: &'static str, confidence: f32, of: [u32; 9], read: [u32; 2]) -> EvidenceRow {
    EvidenceRow {
        id,
        confidence,
        evidence: counts(of, read),
    }
}
