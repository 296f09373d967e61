//! Tests the tutorial's documentation page in a real browser: Swagger UI logs in and calls the
//! protected routes.
//!
//! Skipped if `chromedriver` is not installed, unless `DOORWARD_BROWSER` is set.

use doorward_tests::server::Server;
use fantoccini::Locator;

use crate::browser::Driver;

#[tokio::test]
async fn swagger_ui_logs_in_and_calls_protected_routes() {
    let Some(driver) = Driver::start() else {
        return;
    };
    let server = Server::start(env!("CARGO_BIN_EXE_tutorial"), &[]).unwrap();
    // A page of the service, and that of the crate, below which `token` would not be `/token`.
    for path in ["/docs", "/swagger-ui/"] {
        let page = driver.open(&format!("http://{}{path}", server.address())).await;

        for id in ["read_me", "read_own_items", "read_status"] {
            let lock = format!("#operations-default-{id} .authorization__btn .unlocked");
            page.find(&lock).await;
        }
        let locks = Locator::Css("#operations-default-login button.authorization__btn");
        assert!(page.0.find_all(locks).await.unwrap().is_empty());

        page.click(".auth-wrapper button.authorize").await;
        let dialog = page.text(".auth-container").await;
        for text in [
            "OAuth2PasswordBearer",
            "Flow: password",
            "Read information about the current user.",
            "Read items.",
        ] {
            assert!(dialog.contains(text), "{dialog}");
        }
        page.write("#oauth_username", "johndoe").await;
        page.write("#oauth_password", "secret").await;
        page.click("label[for='me-password-checkbox-OAuth2PasswordBearer']").await;
        page.log_in().await;

        let (status, response) = page.execute("read_me").await;
        assert_eq!(status, "200", "{response}");
        assert!(response.contains("johndoe"), "{response}");
        page.click("#operations-default-read_me .opblock-summary-control").await;

        let (status, response) = page.execute("read_own_items").await;
        assert!(status.starts_with("401"), "{response}");
        assert!(response.contains("Not enough permissions"), "{response}");
        assert!(response.contains(r#"www-authenticate: Bearer scope="items me""#), "{response}");
        page.0.close().await.unwrap();
    }
}
