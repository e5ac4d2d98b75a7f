//! The context and the results of the verbs of `hunkwise admin`.

use review::output::printable_json;
use serde_json::Value;
use store::{NewEntitlement, Store, StoreError, UnixMillis};

use crate::commands::print;
use crate::database::explain;
use crate::outcome::Error;

/// The result of a verb, as JSON and as text.
pub(super) struct Answer {
    pub(super) json: Value,
    pub(super) text: String,
}

/// The context of a verb.
pub(super) struct AdminContext {
    pub(super) store: Store,
    pub(super) now: UnixMillis,
    /// The entitlement that the settings grant the owner of a new organization.
    pub(super) grant: Option<NewEntitlement>,
    /// Whether to print JSON.
    pub(super) json: bool,
}

/// Items of a list that are in memory together.
pub(super) const PAGE: u32 = 1_000;

impl AdminContext {
    /// Prints a list page by page. `page` returns the next [`PAGE`] items after a given one.
    pub(super) async fn list<T, I>(
        &self,
        name: &str,
        page: impl AsyncFn(Option<I>) -> Result<Vec<T>, StoreError>,
        id: impl Fn(&T) -> I,
        line: impl Fn(&T) -> String,
        object: impl Fn(&T) -> Value,
    ) -> Result<(), Error> {
        let (mut after, mut shown) = (
            None,
            if self.json {
                format!("{{\"{name}\":[")
            } else {
                String::new()
            },
        );
        let mut separator = "";
        loop {
            let items = page(after).await.map_err(explain)?;
            for item in &items {
                if self.json {
                    shown.push_str(separator);
                    shown.push_str(&printable_json(object(item).to_string()));
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
