//! Suggestions for mistyped names.

/// Ends a sentence about an unknown name: with the near one, or with all that there are.
pub(crate) fn suggestion(unknown: &str, owner: &str, known: &[&str]) -> String {
    if let Some(name) = nearest(unknown, known) {
        format!("did you mean `{name}`?")
    } else if known.is_empty() {
        format!("{owner} takes none")
    } else {
        let all = known
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ");
        format!("{owner} takes {all}")
    }
}

/// Returns the name that was likely meant.
pub(crate) fn nearest<'n>(unknown: &str, known: &[&'n str]) -> Option<&'n str> {
    let scored = known
        .iter()
        .map(|name| (strsim::jaro_winkler(unknown, name), *name));
    let (score, name) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (score > 0.8).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{nearest, suggestion};

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
        assert_eq!(suggestion("from", "`scopes`", &[]), "`scopes` takes none");
    }

    #[test]
    fn parameters_of_one_attribute_are_not_near_each_other() {
        let names = [
            "authorization_url",
            "token_url",
            "refresh_url",
            "scopes",
            "scheme_name",
            "description",
        ];
        for name in names {
            for other in names {
                assert_eq!(
                    nearest(other, &[name]).is_some(),
                    name == other,
                    "{name} and {other}"
                );
            }
        }
    }
}
