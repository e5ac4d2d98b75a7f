//! Tries the actions of an attacker who controls a worker's parser from inside the worker's sandbox.
//!
//! This program has both roles: with the name of a scene as its argument, it runs as the worker.

#![cfg_attr(
    target_os = "linux",
    expect(
        clippy::unwrap_used,
        clippy::print_stdout,
        clippy::print_stderr,
        reason = "a failing setup fails the test, and this is a custom runner"
    )
)]

#[cfg(target_os = "linux")]
#[path = "sandbox/inside.rs"]
mod inside;
#[cfg(target_os = "linux")]
#[path = "sandbox/outside.rs"]
mod outside;

fn main() {
    #[cfg(target_os = "linux")]
    {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        match arguments
            .first()
            .and_then(|name| inside::Scene::named(name))
        {
            Some(scene) => inside::play(scene, &arguments),
            None => outside::run(&arguments),
        }
    }
}
