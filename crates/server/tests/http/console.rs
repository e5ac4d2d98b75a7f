//! The console: pages for a browser, which is known by its session.

mod access;
mod browser;
mod invitations;
mod members;
mod organizations;
mod pages;
mod review;
mod sessions;
mod sign_in;
mod tokens;
mod usage;

use browser::Browser;
