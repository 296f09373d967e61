use tollgate::oauth2_bearer;

#[oauth2_bearer(flows(password(token_url = "token")), authorization_servers("https://id.example.com"))]
struct NoResource;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers()
)]
struct None;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers = "https://id.example.com"
)]
struct NoList;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers("https://id.example.com", "id.example.com", 1)
)]
struct Relative;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers("https://id.example.com", "id.example.com", "https://id.example.com/?tenant=1")
)]
struct Second;

fn main() {}
