use doorward::oauth2_bearer;

#[oauth2_bearer(flows = "password")]
struct FlowsNotAList;

#[oauth2_bearer(flows(password(token_url = "token")), scopes("me" = "Read.", "me" = "Write."))]
struct ScopeDeclaredTwice;

#[oauth2_bearer(
    flows(password(token_url = "token", scopes("me" = "Read about the user."))),
    scopes("items" = "Read items."),
)]
struct ScopesOfNoFlow;

#[oauth2_bearer(flows(password()), token_url = "token")]
struct UrlOutsideOfAFlow;

#[oauth2_bearer(flows(), scopes("items" = "Read items."))]
struct WithoutAFlow;

#[oauth2_bearer]
struct WithoutFlows;

fn main() {}
