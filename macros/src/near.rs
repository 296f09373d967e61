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

/// Returns the name that was likely meant: the nearest, if at most one of every three characters differs.
pub(crate) fn nearest<'n>(unknown: &str, known: &[&'n str]) -> Option<&'n str> {
    let near = known.iter().filter_map(|name| {
        let edits = distance(unknown, name);
        let longer = unknown.chars().count().max(name.chars().count());
        (edits * 3 <= longer + 2).then_some((edits, *name))
    });
    near.min().map(|(_, name)| name)
}

/// How many characters have to be added, removed or replaced (Levenshtein distance).
fn distance(from: &str, to: &str) -> usize {
    // The distances from what is read of `from` to each start of `to`.
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (line, left) in from.chars().enumerate() {
        let (mut diagonal, mut before) = (line, line + 1);
        for (distance, right) in row
            .iter_mut()
            .zip(std::iter::once(None).chain(to.chars().map(Some)))
        {
            let here = match right {
                Some(right) => (diagonal + usize::from(left != right))
                    .min(before + 1)
                    .min(*distance + 1),
                None => before,
            };
            diagonal = std::mem::replace(distance, here);
            before = here;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest, suggestion};

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
        assert_eq!(nearest("ma", &["me"]), Some("me"));
        assert_eq!(nearest("a", &["me"]), None);
    }

    #[test]
    fn the_distance_counts_edits() {
        for (from, to, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("scope", "scopes", 1),
            ("größe", "grosse", 3),
        ] {
            assert_eq!(distance(from, to), edits, "{from} and {to}");
        }
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
