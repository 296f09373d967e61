use tollgate::oauth2_bearer;

const PATH: &str = "/v1";

#[oauth2_bearer(flows(password(token_url = "token")), resource = "http://api.example.com")]
struct Insecure;

#[oauth2_bearer(flows(password(token_url = "token")), resource = PATH)]
struct Relative;

#[oauth2_bearer(flows(password(token_url = "token")), resource = "https://api.example.com/#v1")]
struct Fragment;

#[oauth2_bearer(flows(password(token_url = "token")), resource = 1)]
struct Number;

fn main() {}
