//! What is printed of the table of routes, which `routes.rs` has: lines, Markdown, JSON.

use core::fmt::{self, Write as _};

use crate::plan::alternatives::Alternative;
use crate::plan::decisions::DECIDED_BY;
use crate::routes::{Requirement, Route, Routes};
use crate::syntax::json::ObjectWriter;

impl Routes {
    /// Returns a table in Markdown (GitHub's), with a column for the handlers.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut table = "| method | path | requirement | handler |\n|---|---|---|---|\n".to_owned();
        for route in self {
            let cells = [&route.method, &route.path, &route.requirement.text(), &route.handler];
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
    /// (a list of names), or none of them if the route is undecided. With `security`, `via` lists
    /// the dependencies that check more, if there are any.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut routes = Vec::new();
        for route in self {
            let object = ObjectWriter::new()
                .text("method", &route.method)
                .text("path", &route.path)
                .text("handler", &route.handler);
            let object = match &route.requirement {
                Requirement::Public(reason) => object.text("public", reason),
                Requirement::Dependencies(names) => object.list("dependencies", names),
                Requirement::Undecided => object,
                Requirement::Schemes { alternatives, via } => {
                    let alternatives = alternatives.iter().map(|alternative| {
                        let scopes = alternative.iter();
                        let object = scopes.fold(ObjectWriter::new(), |object, (name, scopes)| {
                            object.list(name, scopes)
                        });
                        object.finish()
                    });
                    let object = object.objects("security", &Vec::from_iter(alternatives));
                    if via.is_empty() { object } else { object.list("via", via) }
                }
            };
            routes.push(object.finish());
        }
        format!("[{}]", routes.join(","))
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
            writeln!(f, "{:method$}  {:path$}  {requirement}", route.method, route.path)?;
        }
        Ok(())
    }
}

impl Requirement {
    /// Returns the text in a table.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Public(reason) => format!("public: {reason}"),
            Self::Schemes { alternatives, via } => {
                let alternatives = alternatives.iter().map(alternative);
                let alternatives = Vec::from_iter(alternatives).join(" | ");
                match &**via {
                    [] => alternatives,
                    [first, ..] if first.starts_with(DECIDED_BY) => {
                        format!("{alternatives}, {}", via.join(", "))
                    }
                    via => format!("{alternatives} via {}", via.join(", ")),
                }
            }
            Self::Dependencies(names) => names.join(", "),
            Self::Undecided => "undecided".to_owned(),
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
