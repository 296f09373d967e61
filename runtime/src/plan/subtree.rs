//! Facts about a node or one below it, gathered as a tree is built.

/// Facts about a node or one below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subtree {
    /// It takes [`SecurityScopes`](crate::SecurityScopes).
    pub(super) asks_scopes: bool,
    /// It checks scopes, on the branch of every alternative that is not `unscoped`.
    pub(super) checks_scopes: bool,
    /// A mistake, which is reported where it is, hides its dependencies.
    pub(super) is_broken: bool,
    /// It refuses a request without any credential, or may do so.
    pub(super) refuses: bool,
    /// A request needs a credential of a scheme.
    pub(super) needs_credential: bool,
    /// It is a scheme.
    pub(super) has_scheme: bool,
    /// A credential is checked: its scheme verifies it, a function above a scheme can fail, or the
    /// function says that it leaves the check to somebody else. Of alternatives, all do.
    pub(super) verifies: bool,
    /// Its value may differ between two handlers or layers of a request: it takes an extractor or
    /// an API key.
    pub(super) extracts: bool,
    /// A scope of its scheme implies another one.
    pub(super) has_hierarchy: bool,
    /// Its scheme declares a protection space, so its challenges name the required scopes.
    pub(super) has_space: bool,
    /// Its scheme answers with an error type of the service.
    pub(super) has_own_error: bool,
}

impl Subtree {
    pub(super) const NOTHING: Self = Self {
        asks_scopes: false,
        checks_scopes: false,
        is_broken: false,
        refuses: false,
        needs_credential: false,
        has_scheme: false,
        verifies: false,
        extracts: false,
        has_hierarchy: false,
        has_space: false,
        has_own_error: false,
    };

    /// Returns what is true of one of the two.
    pub(super) const fn or(self, other: Self) -> Self {
        Self {
            asks_scopes: self.asks_scopes | other.asks_scopes,
            checks_scopes: self.checks_scopes | other.checks_scopes,
            is_broken: self.is_broken | other.is_broken,
            refuses: self.refuses | other.refuses,
            needs_credential: self.needs_credential | other.needs_credential,
            has_scheme: self.has_scheme | other.has_scheme,
            verifies: self.verifies | other.verifies,
            extracts: self.extracts | other.extracts,
            has_hierarchy: self.has_hierarchy | other.has_hierarchy,
            has_space: self.has_space | other.has_space,
            has_own_error: self.has_own_error | other.has_own_error,
        }
    }
}
