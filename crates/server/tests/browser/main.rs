//! The documentation page in a real browser: Chromium loads it from the real router and runs its script.

#[cfg(test)]
mod chromium;

#[cfg(test)]
mod docs;
