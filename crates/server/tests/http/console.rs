//! The console: pages for a browser, which is identified by its session.

mod access;
mod browser;
mod invitations;
mod issuer_sign_in;
mod issuer_sign_in_refused;
mod members;
mod organizations;
mod pages;
mod review;
mod sessions;
mod sign_in;
mod tokens;
mod usage;

use browser::Browser;
