//! The descriptions of refusals name the dependencies with arguments that decide about them.

use std::collections::BTreeMap;

use http::StatusCode;

use crate::plan::decisions::{DECIDED_BY, Decision};
use crate::syntax::json::tree::{Object, Tree};

/// Returns the names of decisions by the status of their refusals, each as a description has it.
pub(super) fn by_status(decisions: &[Decision]) -> Object {
    let mut by_status = BTreeMap::<_, Vec<Tree>>::new();
    for decision in decisions {
        if let Some(status) = decision.refuses_with {
            by_status.entry(status).or_default().push(name(decision).into());
        }
    }
    let by_status = by_status.into_iter();
    by_status.map(|(status, names)| (status.to_string(), Tree::Array(names))).collect()
}

/// Returns the roles of which a decision takes any, or else its name with its arguments.
fn name(decision: &Decision) -> String {
    match &*decision.roles {
        [] => {
            let text = decision.text();
            format!("`{}`", text.strip_prefix(DECIDED_BY).unwrap_or(text))
        }
        [role] => format!("`{role}` (role)"),
        roles => format!("`{}` (roles)", roles.join("` or `")),
    }
}

/// Adds the names that are not there yet to a response. `referenced` is the description of the one
/// that it refers to, which a description next to a reference replaces.
pub(super) fn add(response: &mut Object, referenced: Option<&str>, status: &str, names: &Tree) {
    response.update("description", |description| {
        let before = description.as_str().or(referenced).unwrap_or_default();
        *description = named(before, status, names).into();
    });
}

/// Returns a description with the names that are not in it yet.
pub(super) fn named(description: &str, status: &str, names: &Tree) -> String {
    let mut text = match description {
        "" => in_words(StatusCode::from_bytes(status.as_bytes()).ok()).to_owned(),
        written => written.to_owned(),
    };
    for name in names.texts() {
        if text.contains(&name) {
            continue;
        }
        if text.ends_with('`') || text.ends_with("` (role)") || text.ends_with("` (roles)") {
            text.push_str(", ");
        } else if text.ends_with(char::is_alphanumeric) {
            text.push_str(": ");
        } else {
            text.push(' ');
        }
        text.push_str(&name);
    }
    text
}

/// Returns what a status means.
pub(super) fn in_words(status: Option<StatusCode>) -> &'static str {
    status.and_then(|status| status.canonical_reason()).unwrap_or("Refused")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_each_name_once() {
        let names = Tree::Array(vec!["`admin` or `owner` (roles)".into(), "`limit(1)`".into()]);
        let both = "`admin` or `owner` (roles), `limit(1)`";
        for (before, after) in [
            ("", format!("Forbidden: {both}")),
            ("Only for admins", format!("Only for admins: {both}")),
            ("Only for admins.", format!("Only for admins. {both}")),
            ("Only with `admin`", format!("Only with `admin`, {both}")),
            ("See `limit(1)`!", "See `limit(1)`! `admin` or `owner` (roles)".to_owned()),
        ] {
            assert_eq!(named(before, "403", &names), after);
            assert_eq!(named(&after, "403", &names), after);
        }
        assert_eq!(named("", "499", &names), format!("Refused: {both}"));
    }
}
