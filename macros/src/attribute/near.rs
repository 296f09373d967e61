//! Names that are likely misspellings of others.

/// Returns `true` if one name is likely a misspelling of the other.
pub(crate) fn is_near(a: &str, b: &str) -> bool {
    similarity(a, b) > LEAST
}

/// Returns the name that is nearest to `found`, if one is near enough.
pub(crate) fn nearest<'n>(
    found: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    names
        .into_iter()
        .map(|name| (similarity(found, name), name))
        .filter(|(similarity, _)| *similarity > LEAST)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}

/// The similarity above which darling suggests a name.
const LEAST: f64 = 0.8;

fn similarity(a: &str, b: &str) -> f64 {
    strsim::jaro_winkler(a, b)
}
