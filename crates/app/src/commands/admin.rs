//! `hunkwise admin`: the operator, straight on the database.

mod backup;
mod entitlement;
mod organization;
mod token;
mod user;

use clap::Subcommand;
use jiff::{Span, Timestamp, tz::TimeZone};
use serde_json::Value;
use server::Clock;
use store::{Store, StoreError, UnixMillis};

use super::{Context, Error, Exit, Outcome, block_on, print};
use crate::database::{self, explain};
use crate::settings::{Overrides, Secret};

/// Manage users, tokens, organizations and entitlements, straight on the database
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise admin user create --name Ada --operator
  hunkwise admin token create --user usr_01k… --expires-in 90d
  hunkwise admin entitlement grant --organization org_01k… --user usr_01k… --monthly-reviews 500
  hunkwise admin backup --to /var/backups/hunkwise.db")]
pub(crate) struct Args {
    /// The database: sqlite://PATH or postgres://USER@HOST/DATABASE
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,

    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    #[command(flatten)]
    Resource(Resource),
    /// Copy a SQLite database to a new file, also while the service runs
    Backup(backup::Verb),
}

#[derive(Debug, Subcommand)]
enum Resource {
    /// People and machines that hold tokens
    #[command(subcommand)]
    User(user::Verb),
    /// Access tokens
    #[command(subcommand)]
    Token(token::Verb),
    /// Tenants and their members
    #[command(subcommand)]
    Organization(organization::Verb),
    /// Who may review diffs
    #[command(subcommand)]
    Entitlement(entitlement::Verb),
}

/// What a verb answers, for programs and for people.
struct Answer {
    json: Value,
    text: String,
}

/// What a verb works on.
struct Desk {
    store: Store,
    now: UnixMillis,
    /// Whether the answer is for programs.
    json: bool,
}

/// Items of a list that are in memory at once.
const PAGE: u32 = 1_000;

impl Desk {
    /// Prints a list as it comes, page by page: `page` gives [`PAGE`] items after one, as long as there are any.
    async fn list<T, I>(
        &self,
        name: &str,
        page: impl AsyncFn(Option<I>) -> Result<Vec<T>, StoreError>,
        id: impl Fn(&T) -> I,
        line: impl Fn(&T) -> String,
        object: impl Fn(&T) -> Value,
    ) -> Result<(), Error> {
        let (mut after, mut shown) = (None, if self.json { format!("{{\"{name}\":[") } else { String::new() });
        let mut separator = "";
        loop {
            let items = page(after).await.map_err(explain)?;
            for item in &items {
                if self.json {
                    shown.push_str(separator);
                    shown.push_str(&object(item).to_string());
                    separator = ",";
                } else {
                    shown.push_str(&line(item));
                }
            }
            print(&std::mem::take(&mut shown))?;
            let Some(last) = items.last() else { break };
            after = Some(id(last));
        }
        if self.json {
            print("]}\n")?;
        }
        Ok(())
    }
}

pub(crate) fn run(args: Args, context: &Context) -> Outcome {
    let Args { database, json, task } = args;
    let settings = context.loaded(&Overrides::default().set("database", "--database", database))?.settings;
    let database = &settings.service.database;
    let answer = block_on(async {
        match task {
            Task::Backup(verb) => backup::act(database, verb).await.map(Some),
            Task::Resource(resource) => at_desk(database, resource, json).await,
        }
    })?;
    match answer {
        Some(answer) => print(&if json { format!("{}\n", answer.json) } else { answer.text }),
        None => Ok(Exit::Success),
    }
}

async fn at_desk(database: &Secret, resource: Resource, json: bool) -> Result<Option<Answer>, Error> {
    let store = database::open(database).await?;
    let desk = Desk { store: store.clone(), now: Clock::system().now(), json };
    let answer = act(&desk, resource).await;
    store.close().await;
    answer
}

/// Does it; `None` where the answer was printed as it came.
async fn act(desk: &Desk, resource: Resource) -> Result<Option<Answer>, Error> {
    match resource {
        Resource::User(verb) => user::act(desk, verb).await,
        Resource::Token(verb) => token::act(desk, verb).await.map(Some),
        Resource::Organization(verb) => organization::act(desk, verb).await,
        Resource::Entitlement(verb) => entitlement::act(desk, verb).await.map(Some),
    }
}

/// RFC 3339, in UTC, as the API writes it.
fn rfc3339(time: UnixMillis) -> String {
    Timestamp::from_millisecond(time.0).map_or_else(|_| time.to_string(), |time| time.to_string())
}

/// Reads `30d`, `12h`, `2 weeks`, `1 month`: jiff's "friendly" durations and ISO 8601's.
fn parse_life(text: &str) -> Result<Span, String> {
    let span: Span = text.trim().parse().map_err(|_| "not a duration such as 30d, 12h or 1 month".to_owned())?;
    if span.is_positive() { Ok(span) } else { Err("not longer than nothing".to_owned()) }
}

/// The moment a life that begins now ends. A month is the calendar's, in UTC.
fn end_of(life: Option<Span>, now: UnixMillis) -> Result<Option<UnixMillis>, Error> {
    let Some(life) = life else { return Ok(None) };
    let end = Timestamp::from_millisecond(now.0).and_then(|now| now.to_zoned(TimeZone::UTC).checked_add(life));
    let end = end.map_err(|_| Error::usage("--expires-in: that is later than any date can be"))?;
    Ok(Some(UnixMillis(end.timestamp().as_millisecond())))
}

/// Reads a name: trimmed, with something in it, and no longer than an organization's may be.
fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    match name.chars().count() {
        0 => Err("empty".to_owned()),
        1..=120 if name.chars().any(char::is_control) => Err("a name with control characters".to_owned()),
        1..=120 => Ok(name.to_owned()),
        _ => Err("longer than 120 characters".to_owned()),
    }
}

/// Reads one of the words that `W` is written as.
fn word<W>(words: &'static [W], spell: fn(W) -> &'static str) -> impl clap::builder::TypedValueParser<Value = W>
where
    W: Copy + Send + Sync + std::str::FromStr<Err = store::ParseError> + 'static,
{
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(words.iter().map(|word| spell(*word))).try_map(|text| text.parse::<W>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixMillis = UnixMillis(1_768_435_200_000);

    fn end(text: &str) -> String {
        rfc3339(end_of(Some(parse_life(text).unwrap()), NOW).unwrap().unwrap())
    }

    #[test]
    fn lives_end_where_the_calendar_says() {
        assert_eq!(rfc3339(NOW), "2026-01-15T00:00:00Z");
        assert_eq!(end("30d"), "2026-02-14T00:00:00Z");
        assert_eq!(end("12h"), "2026-01-15T12:00:00Z");
        assert_eq!(end("2 weeks"), "2026-01-29T00:00:00Z");
        assert_eq!(end("1 month"), "2026-02-15T00:00:00Z");
        assert_eq!(end("P1Y"), "2027-01-15T00:00:00Z");
    }

    #[test]
    fn lives_that_are_none_are_refused() {
        for wrong in ["", "30", "soon", "0s", "-3d", "3d ago"] {
            assert!(parse_life(wrong).is_err(), "{wrong:?}");
        }
        assert!(end_of(Some(parse_life("9000y").unwrap()), NOW).is_err());
    }

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(parse_name("  Ada \u{2003}"), Ok("Ada".to_owned()));
        assert_eq!(parse_name(&"é".repeat(120)), Ok("é".repeat(120)));
        for wrong in ["", " \u{3000}", "a\nb", &"é".repeat(121)] {
            assert!(parse_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
