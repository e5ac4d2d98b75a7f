//! Tries from within a worker's walls what somebody would try who got hold of its parser.
//!
//! This program plays both parts: started with the name of a scene it stands where a worker stands.

#![cfg_attr(
    target_os = "linux",
    expect(
        clippy::unwrap_used,
        clippy::print_stdout,
        clippy::print_stderr,
        reason = "a test whose preparation fails has failed, and this is its own runner"
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
