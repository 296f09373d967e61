//! Tests the tutorial's documentation page in a real browser: Swagger UI logs in and calls the
//! protected routes.
//!
//! Skipped if `chromedriver` is not installed, unless `TOLLGATE_BROWSER` is set.
//! `TOLLGATE_SCREENSHOTS` names a folder for screenshots of the page.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;
use tollgate_tests::server::Server;

/// A `chromedriver` process, killed when this value is dropped.
struct Driver {
    process: Child,
    url: String,
}

impl Driver {
    /// Starts a driver. Returns `None` if it is not installed.
    fn start() -> Option<Self> {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let lines = BufReader::new(process.stdout.take()?).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let port = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        })?;
        Some(Self {
            process,
            url: format!("http://127.0.0.1:{port}"),
        })
    }

    async fn browser(&self) -> Client {
        let options = json!({ "goog:chromeOptions": {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1000"]
        } });
        ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(options.as_object().unwrap().clone())
            .connect(&self.url)
            .await
            .unwrap()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A page of Swagger UI.
struct Page(Client);

impl Page {
    async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap();
    }

    async fn find(&self, css: &str) -> fantoccini::elements::Element {
        let found = self.0.wait().at_most(Duration::from_secs(30));
        found
            .for_element(Locator::Css(css))
            .await
            .unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// Calls the operation with this id. Returns the status and the response as displayed.
    async fn execute(&self, id: &str) -> (String, String) {
        let operation = format!("#operations-default-{id}");
        self.click(&format!("{operation} .opblock-summary-control"))
            .await;
        self.click(&format!("{operation} .try-out__btn")).await;
        self.click(&format!("{operation} .execute")).await;
        let response = format!("{operation} .live-responses-table .response");
        (
            self.text(&format!("{response} .response-col_status")).await,
            self.text(&response).await,
        )
    }

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
        assert!(
            std::env::var_os("TOLLGATE_BROWSER").is_none(),
            "no `chromedriver`"
        );
        println!("skipped: there is no `chromedriver`");
        return;
    };
    let server = Server::start(env!("CARGO_BIN_EXE_tutorial"), &[]).unwrap();
    let page = Page(driver.browser().await);
    page.0
        .goto(&format!("http://{}/docs", server.address()))
        .await
        .unwrap();

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
    let username = page.find("#oauth_username").await;
    username.send_keys("johndoe").await.unwrap();
    let password = page.find("#oauth_password").await;
    password.send_keys("secret").await.unwrap();
    page.click("label[for='me-password-checkbox-OAuth2PasswordBearer']")
        .await;
    page.show("#oauth_username", "swagger-ui-authorize.png")
        .await;
    page.click(".auth-btn-wrapper button.authorize").await;
    page.0
        .wait()
        .at_most(Duration::from_secs(30))
        .for_element(Locator::XPath("//button[text()='Logout']"))
        .await
        .unwrap();
    page.click(".auth-btn-wrapper button.btn-done").await;

    let (status, response) = page.execute("read_me").await;
    assert_eq!(status, "200", "{response}");
    assert!(response.contains("johndoe"), "{response}");
    page.show("#operations-default-read_me", "swagger-ui-200.png")
        .await;
    page.click("#operations-default-read_me .opblock-summary-control")
        .await;

    let (status, response) = page.execute("read_own_items").await;
    assert!(status.starts_with("401"), "{response}");
    assert!(response.contains("Not enough permissions"), "{response}");
    assert!(
        response.contains(r#"www-authenticate: Bearer scope="items me""#),
        "{response}"
    );
    page.show("#operations-default-read_own_items", "swagger-ui-401.png")
        .await;
    page.0.close().await.unwrap();
}
