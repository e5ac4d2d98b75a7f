//! All detectors: gitleaks', and our own.

use serde::Serialize;

use super::detector::{Allow, Detector, Imported, Kind, Target};
use super::own::OWN;
use super::proof::CHECKED;

pub(super) static IMPORTED: Imported = include!("../../../data/secrets/detectors.rs");

/// All detectors.
pub(crate) fn all() -> impl Iterator<Item = &'static Detector> {
    OWN.iter().chain(IMPORTED.detectors)
}

/// What a detector is, for people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetectorInfo {
    /// Its name, as in the findings.
    pub id: &'static str,
    /// What it finds.
    pub title: &'static str,
    /// What makes a match a secret.
    pub kind: Kind,
    /// A checksum or a readable part is looked at too.
    pub checked: bool,
    /// It is gitleaks', not our own.
    pub imported: bool,
}

/// What the detectors are, sorted by name.
#[must_use]
pub fn detectors() -> Vec<DetectorInfo> {
    let imported = |id: &str| IMPORTED.detectors.iter().any(|detector| detector.id == id);
    let mut infos: Vec<DetectorInfo> = all()
        .map(|detector| DetectorInfo {
            id: detector.id,
            title: detector.title,
            kind: detector.kind,
            checked: CHECKED.contains(&detector.id),
            imported: imported(detector.id),
        })
        .collect();
    infos.sort_by_key(|info| info.id);
    infos
}
