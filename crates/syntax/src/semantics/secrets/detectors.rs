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

/// The public description of a detector.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetectorInfo {
    /// Its name, as in the findings.
    pub id: &'static str,
    /// A short description of the secret that it finds.
    pub title: &'static str,
    /// The evidence that a match is a secret.
    pub kind: Kind,
    /// A checksum or a readable part is also checked.
    pub checked: bool,
    /// It is imported from gitleaks.
    pub imported: bool,
}

/// The descriptions of all detectors, sorted by name.
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
