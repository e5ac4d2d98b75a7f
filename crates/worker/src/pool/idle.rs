//! Idle workers. A worker that has parsed one tenant's code never gets another tenant's code, because a hostile file
//! that took it over could read it.

use std::sync::Arc;

use super::process::Worker;

/// The idle workers, longest idle first.
#[derive(Debug, Default)]
pub(super) struct Idle(pub(super) Vec<Worker>);

impl Idle {
    pub(super) fn push(&mut self, worker: Worker) {
        self.0.push(worker);
    }

    /// A worker for a job of this tenant: one that the tenant has used, or else an unused one.
    pub(super) fn take_for(&mut self, tenant: &Arc<str>) -> Option<Worker> {
        let owned = self
            .0
            .iter()
            .rposition(|worker| worker.tenant() == Some(tenant));
        let found =
            owned.or_else(|| self.0.iter().rposition(|worker| worker.tenant().is_none()))?;
        Some(self.0.remove(found))
    }

    /// Whether there is a worker that no tenant has used.
    pub(super) fn has_unused(&self) -> bool {
        self.0.iter().any(|worker| worker.tenant().is_none())
    }

    /// The position of the longest idle worker of such a tenant, excluding the `spared` ones that had a job last.
    pub(super) fn position_used(
        &self,
        spared: usize,
        by: impl Fn(&Arc<str>) -> bool,
    ) -> Option<usize> {
        let candidates = self.0.len().saturating_sub(spared);
        self.0
            .iter()
            .take(candidates)
            .position(|worker| worker.tenant().is_some_and(&by))
    }

    /// Takes that worker.
    pub(super) fn take_used(
        &mut self,
        spared: usize,
        by: impl Fn(&Arc<str>) -> bool,
    ) -> Option<Worker> {
        let found = self.position_used(spared, by)?;
        Some(self.0.remove(found))
    }
}
