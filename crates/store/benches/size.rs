//! Benchmarks that run queries with few and with many organizations: the time must not depend on their number.
//!
//! Every organization has ten members, and every user is in ten organizations spread over the table. Only the last
//! organization is suspended. The SQLite file and the PostgreSQL cluster belong to this run alone.

#[path = "../tests/conformance/postgres_cluster.rs"]
#[expect(
    clippy::unwrap_used,
    clippy::explicit_write,
    dead_code,
    reason = "shared with the tests; the benchmark uses a part of it"
)]
mod postgres_cluster;

use std::{error::Error, fmt::Write as _, time::Duration};

use criterion::Criterion;
use postgres_cluster::Cluster;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use store::{OrganizationId, Role, Status, Store, UnixMillis, UserId};
use tokio::runtime::Runtime;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// 2026-11-20T12:00:00Z
const NOW: UnixMillis = UnixMillis(1_795_176_000_000);

const FEW: usize = 100;
const MANY: usize = 100_000;
/// Replaces [`MANY`] outside of `cargo bench`, where the code only has to run.
const SOME: usize = 1_000;
/// Members per organization, and organizations per user.
const EACH: usize = 10;
/// Rows per INSERT statement.
const ROWS: usize = 2_000;
/// Number of users and organizations to query in turn.
const ASKED: usize = 100;

fn main() -> Fallible<()> {
    let mut criterion = Criterion::default().configure_from_args();
    criterion = criterion
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    let runtime = Runtime::new()?;
    let folder = tempfile::tempdir()?;
    let cluster = runtime.block_on(Cluster::get());
    let many = if std::env::args().any(|argument| argument == "--bench") {
        MANY
    } else {
        SOME
    };
    for organizations in [FEW, many] {
        let url = format!(
            "sqlite://{}",
            folder.path().join(format!("{organizations}.db")).display()
        );
        measure(
            &mut criterion,
            &runtime,
            "SQLite",
            &runtime.block_on(World::new(url, organizations))?,
        )?;
        let Some(cluster) = cluster else { continue };
        let url = cluster.url(&runtime.block_on(cluster.create_database()));
        measure(
            &mut criterion,
            &runtime,
            "PostgreSQL",
            &runtime.block_on(World::new(url, organizations))?,
        )?;
    }
    criterion.final_summary();
    Ok(())
}

/// A database with a given number of organizations, and the IDs to query.
struct World {
    store: Store,
    organizations: usize,
    asked: Vec<(UserId, OrganizationId)>,
}

impl World {
    async fn new(url: String, count: usize) -> Fallible<Self> {
        let users: Vec<UserId> = (0..count).map(|_| UserId::new(NOW)).collect();
        let organizations: Vec<OrganizationId> =
            (0..count).map(|_| OrganizationId::new(NOW)).collect();
        Store::migrate(&url).await?;
        fill(&url, &users, &organizations).await?;
        // All but the last, which is suspended.
        let asked = (0..count - 1)
            .step_by(count / ASKED)
            .map(|number| (users[number], organizations[number]))
            .collect();
        Ok(Self {
            store: Store::open(&url).await?,
            organizations: count,
            asked,
        })
    }
}

/// Fills the tables with few, long statements.
async fn fill(url: &str, users: &[UserId], organizations: &[OrganizationId]) -> Fallible<()> {
    let count = users.len();
    let sqlite = url.starts_with("sqlite:");
    // All rows refer to existing ones, so the check of foreign keys can be skipped.
    let unchecked = if sqlite {
        "PRAGMA foreign_keys = OFF"
    } else {
        "SET session_replication_role = replica"
    };
    let mut statements = vec![unchecked.to_owned(), "BEGIN".to_owned()];
    statements.extend(inserts(
        "users",
        users
            .iter()
            .map(|user| format!("('{user}', 'Ada', FALSE, {NOW})")),
    ));
    let status = |number| {
        if number + 1 == count {
            Status::Suspended
        } else {
            Status::Active
        }
    };
    let rows = organizations.iter().enumerate();
    let rows = rows.map(|(number, organization)| {
        format!("('{organization}', 'Acme', '{}', {NOW})", status(number))
    });
    statements.extend(inserts("organizations", rows));
    let rows = organizations
        .iter()
        .enumerate()
        .flat_map(|(number, organization)| {
            (0..EACH).map(move |place| {
                let user = users[(number + place * (count / EACH)) % count];
                let role = if place == 0 {
                    Role::Owner
                } else {
                    Role::Member
                };
                format!("('{organization}', '{user}', '{role}', {NOW})")
            })
        });
    statements.extend(inserts("members", rows));
    statements.push("COMMIT".to_owned());
    if sqlite {
        let mut connection = SqliteConnection::connect(url).await?;
        for statement in statements {
            connection.execute(AssertSqlSafe(statement)).await?;
        }
        connection.close().await?;
    } else {
        // PostgreSQL does this by itself some time later.
        statements.push("VACUUM ANALYZE".to_owned());
        let mut connection = PgConnection::connect(url).await?;
        for statement in statements {
            connection.execute(AssertSqlSafe(statement)).await?;
        }
        connection.close().await?;
    }
    Ok(())
}

fn inserts(table: &str, rows: impl Iterator<Item = String>) -> Vec<String> {
    let mut statements = Vec::new();
    for (number, row) in rows.enumerate() {
        if number % ROWS == 0 {
            statements.push(format!("INSERT INTO {table} VALUES "));
        }
        let Some(statement) = statements.last_mut() else {
            continue;
        };
        // Writing to a string cannot fail.
        let _ = write!(
            statement,
            "{}{row}",
            if number % ROWS == 0 { "" } else { ", " }
        );
    }
    statements
}

fn measure(
    criterion: &mut Criterion,
    runtime: &Runtime,
    database: &str,
    world: &World,
) -> Fallible<()> {
    let World { store, asked, .. } = world;
    let mut bench = Bench {
        criterion,
        runtime,
        world,
        database,
    };
    // A user of the suspended organization sees one organization less.
    bench.measure("list", EACH - 1, async |number| {
        Ok(store
            .list_organizations(asked[number].0, None, 51)
            .await?
            .len())
    })?;
    bench.measure("get", 1, async |number| {
        let (user, organization) = asked[number];
        Ok(store
            .find_membership(user, organization)
            .await?
            .into_iter()
            .count())
    })?;
    bench.measure("list members", EACH, async |number| {
        Ok(store.list_members(asked[number].1, None, 51).await?.len())
    })?;
    bench.measure("list suspended", 1, async |_| {
        Ok(store
            .list_all_organizations(Some(Status::Suspended), None, 51)
            .await?
            .len())
    })
}

struct Bench<'a> {
    criterion: &'a mut Criterion,
    runtime: &'a Runtime,
    world: &'a World,
    database: &'a str,
}

impl Bench<'_> {
    /// Runs a query repeatedly, in sequence, and fails if it returns fewer than `rows` rows.
    fn measure(
        &mut self,
        name: &str,
        rows: usize,
        ask: impl AsyncFn(usize) -> Fallible<usize>,
    ) -> Fallible<()> {
        let mut group = self
            .criterion
            .benchmark_group(format!("{name} on {}", self.database));
        let (mut numbers, mut failure) = ((0..self.world.asked.len()).cycle(), None);
        group.bench_function(
            format!("{} organizations", self.world.organizations),
            |bencher| {
                bencher.iter(|| {
                    let number = numbers.next().unwrap_or_default();
                    match self.runtime.block_on(ask(number)) {
                        Ok(found) if found >= rows => {}
                        Ok(found) => {
                            failure = Some(format!("{name}: {found} rows instead of {rows}").into())
                        }
                        Err(error) => failure = Some(error),
                    }
                });
            },
        );
        group.finish();
        failure.map_or(Ok(()), Err)
    }
}
