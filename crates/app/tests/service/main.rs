//! The real binary from an operator's perspective: settings, `serve`, the demo, `admin`, and its output about itself.

#[cfg(test)]
mod admin;
#[cfg(test)]
mod backup;
#[cfg(test)]
mod client;
#[cfg(test)]
mod clients;
#[cfg(test)]
mod context_files;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod login;
#[cfg(test)]
mod models;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod provider;
#[cfg(test)]
mod ready;
#[cfg(test)]
mod replicas;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod shutdown;
#[cfg(test)]
mod sign_in;
#[cfg(test)]
mod support;
#[cfg(test)]
#[cfg(feature = "telemetry")]
mod traces;
