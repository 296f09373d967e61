//! Facts about a node or one below it, gathered as a tree is built.

macro_rules! facts {
    ($($(#[$doc:meta])* $fact:ident,)*) => {
        /// Facts about a node or one below it.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Subtree {
            $($(#[$doc])* pub(super) $fact: bool,)*
        }

        impl Subtree {
            pub(super) const NOTHING: Self = Self { $($fact: false,)* };

            /// Returns what is true of one of the two.
            pub(super) const fn or(self, other: Self) -> Self {
                Self { $($fact: self.$fact | other.$fact,)* }
            }
        }
    };
}

facts! {
    /// It takes [`SecurityScopes`](crate::SecurityScopes).
    asks_scopes,
    /// It checks scopes, on the branch of every alternative that is not `unscoped`.
    checks_scopes,
    /// A mistake, which is reported where it is, hides its dependencies.
    is_broken,
    /// It refuses a request without any credential, or may do so.
    refuses,
    /// A request needs a credential of a scheme.
    needs_credential,
    /// It is a scheme.
    has_scheme,
    /// A credential is checked: its scheme verifies it, a function above a scheme can fail, or the
    /// function is `unverified`, which leaves the check to other code. Of alternatives, all do.
    verifies,
    /// Its value may differ between two handlers or layers of a request: it takes an extractor or
    /// an API key.
    extracts,
    /// A scope of its scheme implies another one.
    has_hierarchy,
    /// Its scheme declares a protection space, so its challenges name the required scopes.
    has_space,
    /// Its scheme answers with an error type of the service.
    has_own_error,
}
