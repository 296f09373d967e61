//! What a caller may do, as far as the table knows it.

use core::fmt;

use serde::{Serialize, Serializer};

use super::{Requirement, Route, Routes};
use crate::plan::alternatives::Reached;
use crate::scheme::Scheme;
use crate::verify::Verified;

/// Whether a caller may call a route, as far as the table knows it. It serializes as `yes` or
/// `depends`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum May {
    /// Something else decides as well: a dependency, or another credential.
    Depends,
    /// The scopes of the token are all that the route requires, or it requires nothing.
    Yes,
}

impl May {
    /// Returns `yes` or `depends`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Depends => "depends",
            Self::Yes => "yes",
        }
    }
}

impl fmt::Display for May {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for May {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Routes {
    /// Returns the routes that a caller may call with a token of the scheme `S`, for the buttons of
    /// a front end. Routes for which the token lacks a scope, or that only take credentials of other
    /// schemes, are left out.
    ///
    /// [`May::Yes`] is the answer where the token grants the scopes of an alternative that has no
    /// other scheme, and no dependency checks more: nothing follows `via` in the table. A route that
    /// is public or takes requests without a credential is one, too. The answer is [`May::Depends`]
    /// for everything else, and for each route of a document, which has its schemes by name only.
    ///
    /// **This is not a decision.** The call itself decides: the token may have expired by then, and
    /// a layer or a limit is not in the table.
    ///
    /// ```
    /// # #[cfg(feature = "axum08")] {
    /// use doorward::axum08::Router;
    /// use doorward::axum08::routing::{get, post};
    /// use doorward::routes::May;
    /// use doorward::verify::Verified;
    /// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, secured};
    ///
    /// #[http_bearer(scopes("notes:read" = "Read.", "notes:write" implies("notes:read") = "Change."))]
    /// struct Notes;
    ///
    /// #[dependency]
    /// fn user(#[security(Notes)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    ///     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
    /// }
    ///
    /// #[secured(user, scopes("notes:read"))]
    /// async fn read() {}
    ///
    /// #[secured(user, scopes("notes:write"))]
    /// async fn add() {}
    ///
    /// let routes = Router::<()>::new().route("/notes", get(read).post(add)).routes();
    /// let reader = Verified::new((), ["notes:read".to_owned()]);
    /// let may: Vec<_> = routes.may::<Notes>(&reader).map(|(route, may)| (route.method(), may)).collect();
    /// assert_eq!(may, [("GET", May::Yes)]);
    /// # }
    /// ```
    pub fn may<S: Scheme>(
        &self,
        verified: &Verified<impl Sized>,
    ) -> impl Iterator<Item = (&Route, May)> {
        self.iter().filter_map(|route| Some((route, route.may::<S>(verified.scopes())?)))
    }
}

impl Route {
    /// Returns whether a token of the scheme `S` that grants these scopes may call the route.
    fn may<S: Scheme>(&self, granted: &[String]) -> Option<May> {
        let Some(alternatives) = &self.alternatives else {
            return Some(May::Depends);
        };
        let via = match &self.requirement {
            Requirement::Public(_) => return Some(May::Yes),
            Requirement::Schemes { via, .. } => via,
            Requirement::Dependencies(_) | Requirement::Undecided => return Some(May::Depends),
        };
        let is_own = |reached: &&Reached| *reached.scheme == S::CONFIG;
        let ways = alternatives.ways().filter_map(|way| {
            let own = way.iter().copied().find(is_own);
            let grants = |scope: &&str| S::CONFIG.grants(granted, scope);
            match own {
                Some(own) if !own.scopes.iter().all(grants) => None,
                Some(_) => Some(if way.len() == 1 { May::Yes } else { May::Depends }),
                None if way.is_empty() => Some(May::Yes),
                None => None,
            }
        });
        let may = ways.max()?;
        Some(if via.is_empty() { may } else { May::Depends })
    }
}
