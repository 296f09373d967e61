use doorward::oauth2_bearer;
use doorward::scheme::Setting;

static TOKEN_URL: Setting = Setting::url("TOKEN_URL"); // the name in error messages
static API_URL: Setting = Setting::resource("API_URL");

#[oauth2_bearer(flows(client_credentials(token_url = &TOKEN_URL)), resource = &API_URL)]
struct Machines;

/// Called by `main`, before the service takes requests.
fn set_up() -> Result<(), Box<dyn std::error::Error>> {
    TOKEN_URL.set(std::env::var("TOKEN_URL")?)?;
    API_URL.set(std::env::var("API_URL")?)?;
    Ok(())
}

#[test]
fn a_setting_that_is_not_set_is_an_error() {
    use doorward::Scheme;

    assert!(set_up().is_err());
    let refused = Machines::authenticate(&http::HeaderMap::new()).unwrap_err();
    assert_eq!(refused.status(), 500);
}
