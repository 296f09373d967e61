//! The table of a service's routes: for each, what a request to it must show, or why everyone may
//! call it.

use core::fmt::{self, Write as _};

use crate::declaration::Declaration;
pub use crate::declaration::Public;
use crate::json::ObjectWriter;
use crate::plan::alternatives::{Alternative, Alternatives};

/// The routes of a router, sorted by path and then by method.
///
/// `Display` writes one line for each, `METHOD PATH REQUIREMENT`, in columns. A test of the service
/// that compares it with a file shows each change of rights in review.
///
/// ```
/// # #[cfg(feature = "axum08")] {
/// use tollgate::axum08::Router;
/// use tollgate::axum08::routing::get;
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, public, secured};
///
/// #[http_bearer(scopes("notes:read" = "Read notes."))]
/// struct Notes;
///
/// #[dependency]
/// fn user(#[security(Notes)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
///     Err(scopes.invalid_token()) // nobody, until tokens are verified here
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
    path: String,
    method: &'static str,
    requirement: Requirement,
    handler: &'static str,
}

/// What a request to a route must show.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// Nothing, for this reason.
    Public(String),
    /// The credentials of one of these alternatives: the names of schemes that must all pass, each
    /// with the scopes that it needs. An alternative without schemes needs no credential.
    Schemes(Vec<Vec<(String, Vec<String>)>>),
    /// What these dependencies check, which are below no scheme: their names.
    Dependencies(Vec<String>),
}

impl Routes {
    pub(crate) fn of(lines: impl Iterator<Item = Line>) -> Self {
        let mut routes = Vec::from_iter(lines.map(Line::route));
        routes.sort_by(|a, b| {
            let key = |route: &Route| (route.path.clone(), route.method, route.requirement.text());
            key(a).cmp(&key(b))
        });
        Self(routes)
    }

    /// Returns the routes, in the order of the table.
    pub fn iter(&self) -> core::slice::Iter<'_, Route> {
        self.0.iter()
    }

    /// Returns a table in Markdown (GitHub's), with a column for the handlers.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut table = "| method | path | requirement | handler |\n|---|---|---|---|\n".to_owned();
        for route in self {
            let cells = [
                route.method,
                &route.path,
                &route.requirement.text(),
                route.handler,
            ];
            for cell in cells {
                table.push_str("| ");
                table.push_str(&cell.replace('\\', "\\\\").replace('|', "\\|"));
                table.push(' ');
            }
            table.push_str("|\n");
        }
        table
    }

    /// Returns a JSON array with an object for each route: `method`, `path`, `handler`, and one of
    /// `public` (the reason), `security` (as in OpenAPI: a list of alternatives) and `dependencies`
    /// (a list of names).
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut routes = Vec::new();
        for route in self {
            let object = ObjectWriter::new()
                .text("method", route.method)
                .text("path", &route.path)
                .text("handler", route.handler);
            let object = match &route.requirement {
                Requirement::Public(reason) => object.text("public", reason),
                Requirement::Dependencies(names) => object.list("dependencies", names),
                Requirement::Schemes(alternatives) => {
                    let alternatives = alternatives.iter().map(|alternative| {
                        let scopes = alternative.iter();
                        let object = scopes.fold(ObjectWriter::new(), |object, (name, scopes)| {
                            object.list(name, scopes)
                        });
                        object.finish()
                    });
                    object.objects("security", &Vec::from_iter(alternatives))
                }
            };
            routes.push(object.finish());
        }
        format!("[{}]", routes.join(","))
    }
}

impl<'r> IntoIterator for &'r Routes {
    type Item = &'r Route;
    type IntoIter = core::slice::Iter<'r, Route>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One line for each route, in columns.
impl fmt::Display for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&Route) -> &str| {
            let widths = self.iter().map(|route| of(route).chars().count());
            widths.max().unwrap_or_default()
        };
        let (method, path) = (width(Route::method), width(Route::path));
        for route in self {
            let requirement = route.requirement.text();
            writeln!(
                f,
                "{:method$}  {:path$}  {requirement}",
                route.method, route.path
            )?;
        }
        Ok(())
    }
}

impl Route {
    /// Returns the method, such as `GET`. `ANY` is every method that has no route of its own.
    #[must_use]
    pub fn method(&self) -> &str {
        self.method
    }

    /// Returns the path, with the prefixes of the routers above. `/*` at its end is everything
    /// below that has no route of its own; `*` alone is all routes of a router that was merged.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the path of the handler's function, as the compiler prints it, or the type of the
    /// service. It may differ from one version of the compiler to the next.
    #[must_use]
    pub fn handler(&self) -> &str {
        self.handler
    }

    /// Returns what a request must show.
    #[must_use]
    pub const fn requirement(&self) -> &Requirement {
        &self.requirement
    }
}

impl Requirement {
    fn of(declaration: &Declaration) -> Self {
        if let Some(reason) = declaration.reason {
            // One line in the table, whatever the text.
            let words = Vec::from_iter(reason.split_whitespace());
            return Self::Public(words.join(" "));
        }
        let Declaration { root, scopes, .. } = declaration;
        let alternatives = Alternatives::of(root, scopes).named();
        if !alternatives.is_empty() {
            return Self::Schemes(alternatives);
        }
        let names = match root.name() {
            "" => root.edges().iter().map(|edge| edge.node().name()).collect(),
            name => vec![name],
        };
        Self::Dependencies(names.into_iter().map(str::to_owned).collect())
    }

    /// Returns the text in a table.
    fn text(&self) -> String {
        match self {
            Self::Public(reason) => format!("public: {reason}"),
            Self::Schemes(alternatives) => {
                let alternatives = alternatives.iter().map(alternative);
                Vec::from_iter(alternatives).join(" | ")
            }
            Self::Dependencies(names) => names.join(" + "),
        }
    }
}

/// Writes the schemes that must all pass.
fn alternative(schemes: &Alternative) -> String {
    if schemes.is_empty() {
        return "anyone".to_owned();
    }
    let mut text = String::new();
    for (name, scopes) in schemes {
        let separator = if text.is_empty() { "" } else { " + " };
        // Writing into a string cannot fail.
        let _ = write!(text, "{separator}{name}");
        if !scopes.is_empty() {
            let _ = write!(text, "({})", scopes.join(", "));
        }
    }
    text
}

/// The requirement as in the table.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// A route as a router keeps it. What it requires is worked out when the table is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) declaration: Declaration,
}

/// Every method that has no route of its own.
pub(crate) const ANY: &str = "ANY";

impl Line {
    /// Returns the line of everything at a path that has no route of its own.
    pub(crate) fn any(path: &str, declaration: Declaration) -> Self {
        Self {
            method: ANY,
            path: path.to_owned(),
            declaration,
        }
    }

    /// Returns this route below a prefix.
    pub(crate) fn below(mut self, prefix: &str) -> Self {
        let above = prefix.strip_suffix('/').unwrap_or(prefix);
        self.path = match &*self.path {
            "/" => prefix.to_owned(),
            "*" => format!("{above}/*"),
            path => format!("{above}{path}"),
        };
        self
    }

    fn route(self) -> Route {
        Route {
            path: self.path,
            method: self.method,
            requirement: Requirement::of(&self.declaration),
            handler: self.declaration.handler,
        }
    }
}
