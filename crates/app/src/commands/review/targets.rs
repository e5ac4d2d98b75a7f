//! The requested formats and their destinations.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use review::output::Format;

use crate::outcome::Error;
use crate::{out, output_file};

/// A format, and the file to write instead of stdout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) format: Format,
    pub(super) file: Option<PathBuf>,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((format, file)) = text.split_once('=') else {
            return Ok(Self {
                format: text.parse()?,
                file: None,
            });
        };
        let format = format.parse()?;
        match file {
            "" => Err("expected a file after the equals sign".to_owned()),
            "-" => Ok(Self { format, file: None }),
            file => Ok(Self {
                format,
                file: Some(file.into()),
            }),
        }
    }
}

/// Parses a target, and provides the names of the formats for help and completions.
#[derive(Debug, Clone)]
pub(super) struct TargetParser;

impl TypedValueParser for TargetParser {
    type Value = Target;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Target, clap::Error> {
        (|text: &str| text.parse::<Target>()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            Format::ALL
                .iter()
                .map(|format| PossibleValue::new(format.as_str())),
        ))
    }
}

/// The targets of a run: `pretty` on stdout by default. `output` is the file of a single format.
///
/// # Errors
/// Two formats would be mixed in one place.
pub(super) fn resolve(
    mut targets: Vec<Target>,
    output: Option<PathBuf>,
) -> Result<Vec<Target>, Error> {
    if targets.is_empty() {
        targets.push(Target {
            format: Format::Pretty,
            file: None,
        });
    }
    if let Some(file) = output {
        match targets.as_mut_slice() {
            [
                Target {
                    file: named @ None, ..
                },
            ] => *named = Some(file),
            _ => {
                return Err(Error::usage(
                    "--output names the file of a single --format: write --format F=FILE instead",
                ));
            }
        }
    }
    let places: Vec<Option<PathBuf>> = targets.iter().map(Target::place).collect();
    for (at, target) in targets.iter().enumerate() {
        if places.iter().skip(at + 1).any(|other| *other == places[at]) {
            let place = target
                .file
                .as_deref()
                .map_or_else(|| "stdout".to_owned(), |file| file.display().to_string());
            return Err(Error::usage(format!(
                "several formats would be written to {place}: name a file for each, as in --format json=FILE"
            )));
        }
    }
    Ok(targets)
}

impl Target {
    /// The destination, independent of the spelling of its path. `None` is stdout.
    fn place(&self) -> Option<PathBuf> {
        self.file
            .as_ref()
            .map(|file| output_file::locate(file).unwrap_or_else(|_| file.clone()))
    }

    /// Writes a result.
    ///
    /// # Errors
    /// The result cannot be written. The message says where, why and what to do.
    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        match &self.file {
            Some(file) => output_file::write(file, text.as_bytes()),
            None => out::result(text).map_err(|error| format!("cannot write to stdout: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Target, resolve};

    fn resolved(targets: &[&str], output: Option<&str>) -> Result<Vec<Target>, String> {
        let targets = targets.iter().map(|text| text.parse().unwrap()).collect();
        resolve(targets, output.map(Into::into)).map_err(|error| error.message)
    }

    #[test]
    fn one_format_may_go_to_stdout_and_each_other_one_to_a_file() {
        let targets = resolved(&["json", "sarif=a=b.sarif"], None).unwrap();
        assert_eq!(targets[1].file.as_deref(), Some("a=b.sarif".as_ref()));
        assert_eq!(resolved(&["json=-"], None), resolved(&["json"], None));
        assert_eq!(resolved(&["json"], Some("x")), resolved(&["json=x"], None));
        assert!(
            resolved(&["json", "sarif"], None)
                .unwrap_err()
                .contains("written to stdout")
        );
        assert!(
            resolved(&["json=x", "sarif=x"], None)
                .unwrap_err()
                .contains("written to x")
        );
        assert!(
            resolved(&["json=x", "sarif=./x"], None)
                .unwrap_err()
                .contains("written to x")
        );
        assert!(
            resolved(&["json", "sarif=x"], Some("y"))
                .unwrap_err()
                .contains("--output")
        );
        assert!(
            resolved(&["json=x"], Some("y"))
                .unwrap_err()
                .contains("--output")
        );
    }
}
