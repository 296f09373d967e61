use tollgate::scheme::Setting;
use tollgate::oauth2_bearer;

static TOKEN_URL: Setting = Setting::url("TOKEN_URL");
static URL: &str = "https://api.example.com";

#[oauth2_bearer(flows(password(token_url = TOKEN_URL)))]
struct NoReference;

#[oauth2_bearer(flows(password(token_url = "token")), resource = &URL)]
struct OtherType;

fn main() {}
