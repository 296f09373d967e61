//! The entry points of an MCP server, as its table of routes lists them.

use core::error::Error;
use core::fmt;

use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;

use crate::routes::Routes;
use crate::routes::entry::{Entry, table};

/// Returns the table of the entry points of a block, which is in a module.
#[must_use]
pub fn routes(module: &str, entries: &[Entry]) -> Routes {
    table(module, entries, printed)
}

/// Returns a name as one word of a line.
fn printed(name: &str) -> String {
    let is_word = |letter: char| !letter.is_whitespace() && !letter.is_control();
    if name.chars().all(is_word) { name.to_owned() } else { format!("{name:?}") }
}

/// A router of rmcp.
pub trait EntryRouter {
    /// What its entry points are in the table of routes.
    const KIND: &'static str;

    /// Returns the names of its entry points, disabled ones included.
    fn names(&self) -> impl Iterator<Item = &str>;
}

macro_rules! router {
    ($router:ident, $kind:literal) => {
        impl<S> EntryRouter for $router<S> {
            const KIND: &'static str = $kind;

            fn names(&self) -> impl Iterator<Item = &str> {
                self.map.keys().map(|name| &**name)
            }
        }
    };
}

router!(ToolRouter, "TOOL");
router!(PromptRouter, "PROMPT");

/// Returns a router of rmcp, unless it has a tool or a prompt that is neither secured nor public:
/// one of a block without `#[secured]`, or one that was added by `with_route`, `merge` or
/// `with_async_tool`. `routes` is the table of the blocks.
///
/// The names are compared, because nothing else identifies a route of rmcp, so a route that was
/// added instead of another one of the same name is not found.
///
/// # Errors
///
/// Returns an error that lists them.
pub fn declared<R: EntryRouter>(router: R, routes: &Routes) -> Result<R, Undecided> {
    let is_declared = |name: &&str| {
        let name = printed(name);
        routes.iter().any(|route| route.method() == R::KIND && route.path() == name)
    };
    let undecided = router.names().filter(|name| !is_declared(name)).map(printed);
    let mut undecided = Vec::from_iter(undecided);
    undecided.sort_unstable();
    match &*undecided {
        [] => Ok(router),
        _ => Err(Undecided { kind: R::KIND, names: undecided }),
    }
}

/// A router has tools or prompts that are neither secured nor public. Returned by [`declared`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    kind: &'static str,
    names: Vec<String>,
}

impl Undecided {
    /// Returns their names, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, names } = self;
        let kind = kind.to_lowercase();
        write!(
            f,
            "a router has {kind}s that are neither secured nor public: {}; write `#[secured]` above the `impl` of each {kind}, and join \
             the tables of all blocks with `Routes::and`",
            names.join(", ")
        )
    }
}

impl Error for Undecided {}
