//! Suggestions for mistyped names.

/// Ends a sentence about an unknown name: with the near one, or with all that there are.
pub(crate) fn suggestion(unknown: &str, owner: &str, known: &[&str]) -> String {
    let similarity = |name: &&&str| strsim::jaro_winkler(unknown, name);
    let nearest = known
        .iter()
        .filter(|name| similarity(name) > 0.8)
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => format!("{owner} takes none"),
        None => {
            let all = known
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ");
            format!("{owner} takes {all}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::suggestion;

    #[test]
    fn the_nearest_name_is_suggested_or_all_are_listed() {
        let known = ["token_url", "refresh_url", "scopes"];
        assert_eq!(
            suggestion("tokn_url", "`#[x]`", &known),
            "did you mean `token_url`?"
        );
        assert_eq!(
            suggestion("scope", "`#[x]`", &known),
            "did you mean `scopes`?"
        );
        assert_eq!(
            suggestion("bananas", "`#[x]`", &known),
            "`#[x]` takes `token_url`, `refresh_url`, `scopes`"
        );
    }
}
