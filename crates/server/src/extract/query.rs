//! Query parameters, by name. An unknown one is a fault.

use std::borrow::Cow;

use axum::extract::Query;
use axum::http::request::Parts;

use super::leftover;
use crate::error::{FieldError, Problem};

/// The query of a request while it is read.
pub(crate) struct Parameters {
    given: Vec<(String, String)>,
    asked: Vec<&'static str>,
    faults: Vec<FieldError>,
}

impl Parameters {
    /// The query of this request.
    pub(crate) fn of(parts: &Parts) -> Self {
        let (given, faults) = match Query::try_from_uri(&parts.uri) {
            Ok(Query(given)) => (given, Vec::new()),
            Err(_) => (
                Vec::new(),
                vec![FieldError::parameter(
                    "",
                    "the query is not a list of name=value pairs",
                )],
            ),
        };
        Self {
            given,
            asked: Vec::new(),
            faults,
        }
    }

    /// Takes a parameter and parses it with `read`, or adds the fault that `read` returns.
    pub(crate) fn take<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, Cow<'static, str>>,
    ) -> Option<T> {
        self.asked.push(name);
        let at = self.given.iter().position(|(given, _)| given == name)?;
        let (_, value) = self.given.remove(at);
        match read(&value) {
            Ok(value) => Some(value),
            Err(detail) => {
                self.faults.push(FieldError::parameter(name, detail));
                None
            }
        }
    }

    /// Adds a fault of a parameter.
    pub(crate) fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.faults.push(FieldError::parameter(name, detail));
    }

    /// Fails if there are faults or unknown parameters.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        let faults = self.into_faults();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Problem::invalid(faults))
        }
    }

    /// The faults so far, including unknown parameters.
    pub(crate) fn into_faults(mut self) -> Vec<FieldError> {
        for (name, _) in &self.given {
            let (shown, detail) = leftover::find(name, &self.asked, "parameter");
            self.faults.push(FieldError::parameter(&shown, detail));
        }
        self.faults
    }
}
