//! The pages in a real browser: Chromium loads them from the real router and runs their scripts.

#[cfg(test)]
mod axe;
#[cfg(test)]
mod chromium;
#[cfg(test)]
mod console;

#[cfg(test)]
mod docs;
#[cfg(test)]
mod driver;
#[cfg(test)]
mod engine;
#[cfg(test)]
mod large;
#[cfg(test)]
mod organizations;
#[cfg(test)]
#[path = "../../../store/tests/conformance/postgres_cluster.rs"]
#[expect(
    dead_code,
    reason = "it is the cluster of the store's tests, of which these need a part"
)]
mod postgres_cluster;
#[cfg(test)]
mod world;
