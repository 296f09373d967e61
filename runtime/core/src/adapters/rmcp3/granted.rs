//! `list = granted`: the list of the tools that the scopes of the caller's token allow.

use http::request::Parts;
use rmcp::RoleServer;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{CacheScope, ListToolsResult, MetaObject, ProtocolVersion, Tool};
use rmcp::service::RequestContext;

use super::entry::EntryRouter as _;
use crate::adapters::http::LateRefusal;
use crate::dependency::recognised::Recognised;
use crate::plan::alternatives::Alternatives;
use crate::routes::entry::Entry;
use crate::trace;

impl Entry {
    fn is_tool(&self, name: &str) -> bool {
        self.kind == ToolRouter::<()>::KIND && self.name == name
    }

    /// Returns `true` if the scopes of the tokens allow it, whatever else it requires.
    fn is_granted(&self, tokens: &Recognised) -> bool {
        let alternatives = Alternatives::of(self.declaration.root, &[], None);
        alternatives.iter().any(|schemes| {
            schemes.iter().all(|reached| {
                !reached.scheme.auto_error || tokens.grants(reached.scheme, &reached.scopes)
            })
        })
    }
}

/// Returns the list of those tools that the tokens allow which were verified for the request. A tool
/// that is in none of the tables is not in the list.
#[must_use]
pub fn list_granted(
    mut tools: Vec<Tool>,
    tables: &[&[Entry]],
    meta: Option<MetaObject>,
    context: &RequestContext<RoleServer>,
) -> ListToolsResult {
    let head = context.extensions.get::<Parts>();
    let recognised = head.and_then(|head| head.extensions.get::<Recognised>());
    if recognised.is_none() && head.is_some_and(|head| !LateRefusal::is_taken(head)) {
        trace::granted_tools_not_listed();
    }
    let none = Recognised::default();
    let recognised = recognised.unwrap_or(&none);
    tools.retain(|tool| {
        let mut entries = tables.iter().copied().flatten();
        entries.any(|entry| entry.is_tool(&tool.name) && entry.is_granted(recognised))
    });
    let mut list = ListToolsResult::with_all_items(tools);
    list.meta = meta;
    // As rmcp's own, but no shared cache may keep it for another caller.
    let version = context.protocol_version();
    let has_hints = version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    list.ttl_ms = has_hints.then_some(0);
    list.cache_scope = has_hints.then_some(CacheScope::Private);
    list
}
