//! `hunkwise migrate`: migrates the database without starting the service.

use settings::Overrides;

use super::{Context, block_on};
use crate::database;
use crate::outcome::{Exit, Outcome};

/// Create the database if needed and migrate its tables; `serve` does this too
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: hunkwise migrate --database sqlite:///var/lib/hunkwise/hunkwise.db"
)]
pub(crate) struct Args {
    /// The database: sqlite://PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

pub(crate) fn run(args: Args, context: &Context) -> Outcome {
    let flags = Overrides::default().set("database", "--database", args.database);
    let settings = context.loaded(&flags)?.settings;
    block_on(async {
        let store = database::open(&settings.service.database).await?;
        store.close().await;
        Ok(())
    })?;
    crate::out::note("the database is up to date");
    Ok(Exit::Success)
}
