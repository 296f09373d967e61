//! Tests the tutorial's documentation page in a real browser: Swagger UI logs in and calls the
//! protected routes.
//!
//! Skipped if `chromedriver` is not installed, unless `TOLLGATE_BROWSER` is set.
//! `TOLLGATE_SCREENSHOTS` names a folder for screenshots of the page.

use std::path::Path;

use fantoccini::Locator;
use serde_json::json;
use tollgate_tests::server::Server;

use crate::browser::{Driver, Page};

impl Page {
    /// Takes a screenshot with an element at its top, if possible.
    async fn show(&self, selector: &str, name: &str) {
        if let Some(folder) = std::env::var_os("TOLLGATE_SCREENSHOTS") {
            let script = "document.querySelector(arguments[0]).scrollIntoView()";
            self.0.execute(script, vec![json!(selector)]).await.unwrap();
            let picture = self.0.screenshot().await.unwrap();
            std::fs::write(Path::new(&folder).join(name), picture).unwrap();
        }
    }
}

#[tokio::test]
async fn swagger_ui_logs_in_and_calls_protected_routes() {
    let Some(driver) = Driver::start() else {
        return;
    };
    let server = Server::start(env!("CARGO_BIN_EXE_tutorial"), &[]).unwrap();
    let page = driver.open(&format!("http://{}/docs", server.address())).await;

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
    page.show("#oauth_username", "swagger-ui-authorize.png").await;
    page.log_in().await;

    let (status, response) = page.execute("read_me").await;
    assert_eq!(status, "200", "{response}");
    assert!(response.contains("johndoe"), "{response}");
    page.show("#operations-default-read_me", "swagger-ui-200.png").await;
    page.click("#operations-default-read_me .opblock-summary-control").await;

    let (status, response) = page.execute("read_own_items").await;
    assert!(status.starts_with("401"), "{response}");
    assert!(response.contains("Not enough permissions"), "{response}");
    assert!(response.contains(r#"www-authenticate: Bearer scope="items me""#), "{response}");
    page.show("#operations-default-read_own_items", "swagger-ui-401.png").await;
    page.0.close().await.unwrap();
}
