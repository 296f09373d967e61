//! The table of the entry points, and routers that have others.

use doorward::rmcp3::declared;
use doorward::routes::May;
use doorward::verify::Verified;
use rmcp::handler::server::router::tool::ToolRoute;
use rmcp::{tool, tool_router};

use super::{Notebook, Notes};

#[test]
fn the_table_has_a_line_for_each_entry_point() {
    let table =
        Notes::tool_router_routes().and(Notes::handler_routes()).and(Notes::prompt_router_routes());
    assert_eq!(
        table.to_string(),
        "\
TOOL      \"clear all\"    Notebook(notes:read, notes:write)
TOOL      add_note       Notebook(notes:read, notes:write)
TOOL      count          Notebook(notes:read)
TOOL      hello          public: it says nothing
TOOL      list_notes     Notebook(notes:read)
RESOURCE  read_resource  Notebook(notes:read, notes:write)
PROMPT    sum_up         Notebook(notes:read)
"
    );
    let handler = table.iter().next().unwrap().handler();
    assert_eq!(handler, "block::Notes::clear");
    let reader = Verified::new((), ["notes:read".to_owned()]);
    let may = table.may::<Notebook>(&reader).map(|(entry, may)| (entry.path(), may));
    let expected = ["count", "hello", "list_notes", "sum_up"];
    assert_eq!(Vec::from_iter(may), expected.map(|name| (name, May::Yes)));
}

/// A block without `#[secured]`, whose tools nobody has decided about.
#[tool_router(router = undecided_router)]
impl Notes {
    #[tool]
    async fn wipe(&self) -> String {
        "wiped".to_owned()
    }
}

#[test]
fn an_undecided_tool_is_an_error_at_start() {
    let routes = Notes::tool_router_routes();
    assert!(declared(Notes::tool_router(), &routes).is_ok());
    let prompts = declared(Notes::prompt_router(), &routes);
    assert_eq!(prompts.err().unwrap().names(), ["sum_up"]);
    assert!(declared(Notes::prompt_router(), &Notes::prompt_router_routes()).is_ok());

    let mut merged = Notes::tool_router();
    merged.merge(Notes::undecided_router());
    let added = Notes::tool_router()
        .with_route(ToolRoute::new(Notes::wipe_tool_attr(), Notes::wipe))
        .with_disabled("wipe");
    for router in [merged, added] {
        let error = declared(router, &routes).err().unwrap();
        assert_eq!(error.names(), ["wipe"]);
        assert_eq!(
            error.to_string(),
            "a router has tools that are neither secured nor public: wipe; write `#[secured]` above the `impl` of each tool, and join the \
             tables of all blocks with `Routes::and`"
        );
    }
}
