use rmcp::model::{
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, SubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, prompt, prompt_router, tool, tool_handler, tool_router,
};
use doorward::{BearerError, BearerToken, Rejection, SecurityScopes, dependency, http_bearer, secured};

#[http_bearer(scopes("notes:read" = "Read the notes."))]
struct Api;

#[dependency]
fn user(#[security(Api)] _token: BearerToken) -> Result<String, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

struct Notes;

// Of a tool, and each is one error.
#[tool_router(server_handler)]
impl Notes {
    #[secured(user)]
    #[tool(description = "Lists the notes.")]
    fn guard_above_a_tool(&self) -> String {
        String::new()
    }

    #[tool(description = "Lists the notes.")]
    #[secured(user)]
    fn guard_below(&self) -> String {
        String::new()
    }

    #[secured]
    #[tool(description = "Lists the notes.")]
    async fn secured_parameter(&self, #[security(user)] user: String) -> String {
        user
    }
}

#[dependency]
fn reader(#[security(Api)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
    Err(scopes.invalid_token())
}

struct Undecided;

#[secured]
#[tool_router(server_handler)]
impl Undecided {
    #[tool(description = "Removes the notes.")]
    fn undecided_tool(&self) -> String {
        String::new()
    }
}

struct UndecidedPrompt;

#[secured]
#[prompt_router]
impl UndecidedPrompt {
    #[prompt]
    async fn undecided_prompt(&self) -> Vec<PromptMessage> {
        Vec::new()
    }
}

struct UndecidedHandler;

#[secured]
impl ServerHandler for UndecidedHandler {
    async fn read_resource(
        &self,
        _request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Err(ErrorData::invalid_request("none", None))
    }

    // A list is open.
    async fn list_tools(
        &self,
        _request: Option<rmcp::model::PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<rmcp::model::ListToolsResult, ErrorData> {
        Ok(rmcp::model::ListToolsResult::default())
    }
}

type Context = RequestContext<RoleServer>;

struct BehindAnAlias;

#[secured]
impl ServerHandler for BehindAnAlias {
    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }
}

struct Later;

#[secured(user)]
impl ServerHandler for Later {
    fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        std::future::ready(Ok(()))
    }
}

struct Below;

#[tool_router]
impl Below {
    #[tool]
    async fn open(&self) -> String {
        String::new()
    }
}

#[tool_handler]
#[secured]
impl ServerHandler for Below {}

struct Scopes;

#[secured(reader, scopes("notes:raed"))]
#[tool_router(server_handler)]
impl Scopes {
    #[tool]
    async fn wrong_scope_of_the_block(&self) -> String {
        String::new()
    }

    #[security(reader, scopes("notes:wriet"))]
    #[tool]
    async fn wrong_scope_of_a_method(&self) -> String {
        String::new()
    }

    #[tool]
    async fn unchecked(&self, #[security(user, scopes("notes:read"))] user: String) -> String {
        user
    }

    #[security(reader, user)]
    #[tool]
    async fn two_in_one(&self) -> String {
        String::new()
    }
}

struct Failed;

struct Returns;

#[secured(user)]
#[tool_router(server_handler)]
impl Returns {
    #[tool]
    async fn another_error(&self) -> Result<String, Failed> {
        Err(Failed)
    }
}

impl rmcp::handler::server::tool::IntoCallToolResult for Failed {
    fn into_call_tool_result(self) -> Result<rmcp::model::CallToolResponse, ErrorData> {
        Err(ErrorData::internal_error("failed", None))
    }
}

struct Twice;

#[secured]
#[tool_router]
impl Twice {
    #[public(reason = "it says nothing")]
    #[tool]
    async fn first(&self) -> String {
        String::new()
    }
}

// With another name for its router, it would be a second table.
#[secured]
#[tool_router]
impl Twice {
    #[public(reason = "it says nothing")]
    #[tool]
    async fn second(&self) -> String {
        String::new()
    }
}

struct Attributes<T>(T);

#[secured(user)]
#[tool_router]
impl<T: Send + Sync + 'static> Attributes<T> {
    #[secured(user)]
    #[tool]
    async fn secured_again(&self) -> String {
        String::new()
    }

    #[security(user)]
    #[public(reason = "it says nothing")]
    #[tool]
    async fn secured_and_public(&self) -> String {
        String::new()
    }

    #[public(reason = "")]
    #[tool]
    async fn without_a_reason(&self) -> String {
        String::new()
    }

    #[security]
    #[tool]
    async fn names_nothing(&self) -> String {
        String::new()
    }

    #[tool]
    async fn of_the_block(&self, #[security(Self::user)] user: String) -> String {
        user
    }

    #[security(user)]
    fn no_client_calls_this(&self) {}
}

struct Lists;

#[secured(user, list = granted)]
#[tool_router(server_handler)]
impl Lists {
    #[tool]
    async fn listed(&self) -> String {
        String::new()
    }
}

struct ListsAll;

#[secured(list = all, security_schemes(oauth2))]
#[tool_router]
impl ListsAll {
    #[security(user)]
    #[tool]
    async fn listed(&self) -> String {
        String::new()
    }
}

struct Nothing;

#[secured(user)]
impl Nothing {
    fn no_client_calls_this(&self) {}
}

fn main() {}
