//! The pages in a real browser: Chromium loads them from the real router and runs their scripts.

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
