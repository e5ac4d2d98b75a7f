//! Texts with variables, such as a summary: `$NAME` is replaced by the code that a variable matched.

/// Replaces each `$NAME` by its value; `None` if one of them has none.
pub(super) fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (before, names) = parts(template);
    let mut out = before.to_owned();
    for (name, tail) in names {
        out.push_str(&value(name)?);
        out.push_str(tail);
    }
    Some(out)
}

/// The variables in a template.
pub(super) fn variables(template: &str) -> impl Iterator<Item = &str> {
    parts(template)
        .1
        .map(|(name, _)| name)
        .filter(|name| is_variable(name))
}

/// Whether the text after a dollar sign names a variable. `$_GET`, `$1` and a lone `$` are code in some languages.
pub(super) fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The text before the first dollar sign, and for each dollar sign the name after it and the text up to the next one.
fn parts(template: &str) -> (&str, impl Iterator<Item = (&str, &str)>) {
    let mut parts = template.split('$');
    let before = parts.next().unwrap_or_default();
    let named = parts.map(|part| {
        let is_of_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        part.split_at(part.find(|c| !is_of_name(c)).unwrap_or(part.len()))
    });
    (before, named)
}

#[cfg(test)]
mod tests {
    use super::{fill, variables};

    #[test]
    fn a_template_is_filled_if_all_its_variables_have_a_value() {
        let value = |name: &str| (name != "B").then(|| format!("<{name}>"));
        assert_eq!(fill("f($A, $A_1)", value).as_deref(), Some("f(<A>, <A_1>)"));
        assert_eq!(fill("f($A, $B)", value), None);
        assert_eq!(fill("nothing", value).as_deref(), Some("nothing"));
    }

    #[test]
    fn code_with_dollar_signs_does_not_name_a_variable() {
        assert_eq!(
            variables("$A is $_GET, $1 or $; $B_2x").collect::<Vec<_>>(),
            ["A", "B_2"]
        );
    }
}
