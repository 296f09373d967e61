use rmcp::{tool, tool_router};
use tollgate::{BearerToken, Rejection, dependency, http_bearer, secured};

#[http_bearer]
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

fn main() {}
