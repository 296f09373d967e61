use tollgate::scheme::LateResource;
use tollgate::oauth2_bearer;

static RESOURCE: LateResource = LateResource::new();
static URL: &str = "https://api.example.com";

#[oauth2_bearer(flows(password(token_url = "token")), resource = RESOURCE)]
struct NoReference;

#[oauth2_bearer(flows(password(token_url = "token")), resource = &URL)]
struct OtherType;

fn main() {}
