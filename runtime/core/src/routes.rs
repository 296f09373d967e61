//! The table of a service's routes: for each, what a request to it must show, or the reason why it
//! is public.

#[cfg(feature = "testing")]
pub(crate) mod asking;
#[cfg(any(feature = "rmcp3", feature = "tonic014"))]
pub(crate) mod entry;
#[cfg(any(feature = "axum08", feature = "rmcp3", feature = "tonic014"))]
pub(crate) mod kept;
mod may;
mod printed;

pub use self::may::May;
use crate::plan::alternatives::{Alternative, Alternatives};
pub use crate::plan::declaration::Public;
#[cfg(feature = "testing")]
use crate::routes::asking::Asking;

/// The routes of a router, sorted by path and then by method. The methods of services of gRPC, and the
/// tools, prompts and resources of an MCP server, come after them, by name.
///
/// `Display` writes one line for each, `METHOD PATH REQUIREMENT`, in columns. A test of the service
/// that compares it with a file shows each change of rights in review.
///
/// ```
/// # #[cfg(feature = "axum08")] {
/// use doorward::axum08::Router;
/// use doorward::axum08::routing::get;
/// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, public, secured};
///
/// #[http_bearer(scopes("notes:read" = "Read notes."))]
/// struct Notes;
///
/// #[dependency]
/// fn user(#[security(Notes)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
///     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
/// }
///
/// #[secured]
/// async fn notes(#[security(user, scopes("notes:read"))] user: String) -> String {
///     user
/// }
///
/// #[public(reason = "load balancers ask it")]
/// async fn health() {}
///
/// let app: Router = Router::new().route("/notes", get(notes)).route("/health", get(health));
/// assert_eq!(
///     app.routes().to_string(),
///     "\
/// GET  /health  public: load balancers ask it
/// GET  /notes   Notes(notes:read)
/// "
/// );
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes(Vec<Route>);

/// A method of a path, and what it requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub(crate) path: String,
    pub(crate) method: String,
    pub(crate) requirement: Requirement,
    pub(crate) handler: String,
    /// The schemes of the requirement, which a route of a document has by name alone.
    pub(crate) alternatives: Option<Alternatives>,
    #[cfg(feature = "testing")]
    pub(crate) asking: Asking,
}

/// The requirement of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// Nothing, for this reason.
    Public(String),
    /// The credentials of one of several alternatives.
    #[non_exhaustive]
    Schemes {
        /// The names of schemes that must all pass, each with the scopes that it needs. An
        /// alternative without schemes needs no credential.
        alternatives: Vec<Vec<(String, Vec<String>)>>,
        /// The dependencies that check more, outermost first: those with arguments, such as
        /// `role(Admin)`, and ones that may refuse a credential which is already checked. At the end,
        /// after the words `decided by`, those that say `decides`.
        via: Vec<String>,
    },
    /// Dependencies that check a request without a scheme, by name, with their arguments.
    Dependencies(Vec<String>),
    /// Not declared. Only a document that [`openapi::audit`](crate::openapi::audit) reads has
    /// such a route.
    Undecided,
}

impl Routes {
    /// Creates the table of routes in any order.
    pub(crate) fn of(routes: impl Iterator<Item = Route>) -> Self {
        let mut routes = Vec::from_iter(routes);
        routes.sort_by_cached_key(|route| {
            let Route { path, method, .. } = route;
            let is_entry = ENTRIES.contains(&&**method);
            (is_entry, path.clone(), method.clone(), route.requirement.text())
        });
        Self(routes)
    }

    /// Returns one table of these routes and others, such as those of a router and the tools below
    /// it.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::of(self.0.into_iter().chain(other.0))
    }

    /// Returns the routes, in the order of the table.
    pub fn iter(&self) -> core::slice::Iter<'_, Route> {
        self.0.iter()
    }

    /// Returns the routes that are neither secured nor public. A
    /// document that [`openapi::audit`](crate::openapi::audit) reads may have some; a router has
    /// none.
    #[cfg(feature = "openapi")]
    pub fn undecided(&self) -> impl Iterator<Item = &Route> {
        let is_undecided = |route: &&Route| route.requirement == Requirement::Undecided;
        self.iter().filter(is_undecided)
    }
}

impl<'r> IntoIterator for &'r Routes {
    type Item = &'r Route;
    type IntoIter = core::slice::Iter<'r, Route>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Route {
    /// Returns the method, such as `GET`. `ANY` is every method that no other route takes. Of a service
    /// of gRPC, it is `RPC`, and of an MCP server, `TOOL`, `PROMPT` or `RESOURCE`.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the path, with the prefixes of the routers above. `/*` at its end is everything
    /// below that has no other route; `*` by itself is all routes of a router that was merged. Of an
    /// MCP server, it is the name of the tool or the prompt, or that of the method that serves
    /// resources.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the path of the handler's function, as the compiler prints it, or the type of the
    /// service. It may differ from one version of the compiler to the next. Of a route in a
    /// document, it is the `operationId`, or empty.
    #[must_use]
    pub fn handler(&self) -> &str {
        &self.handler
    }

    /// Returns what a request must show.
    #[must_use]
    pub const fn requirement(&self) -> &Requirement {
        &self.requirement
    }
}

impl Requirement {
    /// Returns the requirement of what is public. The reason becomes one line in the table, even if
    /// its text has several.
    pub(crate) fn public(reason: &str) -> Self {
        Self::Public(Vec::from_iter(reason.split_whitespace()).join(" "))
    }

    /// Returns the requirement of these alternatives, or of these dependencies if there are none.
    pub(crate) fn met_by(alternatives: Vec<Alternative>, via: Vec<String>) -> Self {
        if alternatives.is_empty() {
            return Self::Dependencies(via);
        }
        Self::Schemes { alternatives, via }
    }
}

/// What stands instead of the method for a service of gRPC and for an MCP server.
const ENTRIES: [&str; 4] = ["RPC", "TOOL", "PROMPT", "RESOURCE"];

/// Every method that no other route of the path takes.
pub(crate) const ANY: &str = "ANY";
