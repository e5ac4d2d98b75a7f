//! All statements, so that a test can prepare each on a real database.

use crate::db::Db;
use crate::error::StoreError;
use crate::store::Store;
use crate::{
    audit_events, automatic_grants, browser_sessions, caps, db, entitlements, idempotency,
    identities, invitations, members, model_tokens, offboarding, operators, organizations,
    review_guidelines, revocations, shared_limits, sign_in_attempts, tokens, usage, users,
};

impl Store {
    /// Prepares every statement of this crate and returns their number: a check against a real database that the compiler
    /// cannot make for two databases.
    ///
    /// # Errors
    /// The first statement that the database rejects, and why.
    pub async fn prepare_statements(&self) -> Result<usize, (&'static str, StoreError)> {
        let statements = [
            db::ALL,
            caps::ALL,
            automatic_grants::ALL,
            users::ALL,
            offboarding::ALL,
            organizations::ALL,
            operators::ALL,
            members::ALL,
            tokens::ALL,
            revocations::ALL,
            entitlements::ALL,
            idempotency::ALL,
            identities::ALL,
            usage::ALL,
            model_tokens::ALL,
            review_guidelines::ALL,
            audit_events::ALL,
            invitations::ALL,
            browser_sessions::ALL,
            sign_in_attempts::ALL,
        ]
        .concat();
        let own: &[&'static str] = if matches!(self.db, Db::Postgres(_)) {
            shared_limits::ALL
        } else {
            &[]
        };
        let statements = [&statements, own].concat();
        for statement in &statements {
            self.db
                .prepare(statement)
                .await
                .map_err(|error| (*statement, error))?;
        }
        Ok(statements.len())
    }
}

#[cfg(test)]
mod tests {
    /// A statement outside the lists is not prepared by any test.
    #[test]
    fn every_query_names_a_statement() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut queries = 0;
        for file in std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            let Ok(source) = std::fs::read_to_string(&file) else {
                continue;
            };
            let (code, _tests) = source.split_once("#[cfg(test)]").unwrap_or((&source, ""));
            for call in code.split("sqlx::query").skip(1) {
                let argument = call
                    .split_once('(')
                    .map_or("", |(_, rest)| rest.trim_start());
                let named = argument.starts_with(|letter: char| letter.is_ascii_uppercase());
                assert!(named, "{}: {:.60}", file.display(), argument);
                queries += 1;
            }
        }
        assert!(queries > 20, "{queries}");
    }
}
