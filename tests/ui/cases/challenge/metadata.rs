use tollgate::scheme::ResourceMetadata;
use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", realm = "users")]
struct OAuth2;

fn main() {
    let _ = ResourceMetadata::of::<OAuth2>();
}
