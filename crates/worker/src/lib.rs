//! Worker processes. Untrusted code is parsed in them and never in the process that needs the result.
//!
//! [`WorkerPool`] starts workers and sends them jobs. A worker is this program again, which calls [`serve`]: it enters
//! the [`sandbox`] before it reads its first job. Both sides exchange frames over two pipes.

mod frame;
mod job;
mod pool;
pub mod sandbox;
mod serve;

pub use pool::{Counts, EarlyWorker, Failure, PoolOptions, WorkerCommand, WorkerPool};
pub use serve::{Jobs, serve};
