//! The page of the description in a real browser: it logs in, and calls a route.
//!
//! Skipped if `chromedriver` is not installed, unless `TOLLGATE_BROWSER` is set.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;

use crate::server::{Database, Server};

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
        let url = format!("http://127.0.0.1:{port}");
        Some(Self { process, url })
    }

    async fn browser(&self) -> Client {
        let options = json!({ "goog:chromeOptions": {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1400"]
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

async fn find(page: &Client, css: &str) -> Element {
    let found = page.wait().at_most(Duration::from_secs(30));
    let found = found.for_element(Locator::Css(css)).await;
    found.unwrap_or_else(|error| panic!("{css}: {error}"))
}

async fn click(page: &Client, css: &str) {
    find(page, css).await.click().await.unwrap();
}

#[tokio::test]
async fn swagger_ui_logs_in_and_lists_notes() {
    let Some(driver) = Driver::start() else {
        assert!(
            std::env::var_os("TOLLGATE_BROWSER").is_none(),
            "no `chromedriver`"
        );
        println!("skipped: there is no `chromedriver`");
        return;
    };
    let database = Database::new();
    let server = Server::start(&database);
    server
        .register("johndoe", "correct horse")
        .await
        .assert_status(201);
    let page = driver.browser().await;
    page.goto(&format!("http://{}/docs/", server.address))
        .await
        .unwrap();

    click(&page, ".auth-wrapper button.authorize").await;
    let username = find(&page, "#oauth_username").await;
    username.send_keys("johndoe").await.unwrap();
    let password = find(&page, "#oauth_password").await;
    password.send_keys("correct horse").await.unwrap();
    click(&page, "label[for='notes:read-password-checkbox-Login']").await;
    click(&page, ".auth-btn-wrapper button.authorize").await;
    let logout = Locator::XPath("//button[text()='Logout']");
    let logged_in = page.wait().at_most(Duration::from_secs(30));
    logged_in.for_element(logout).await.unwrap();
    click(&page, ".auth-btn-wrapper button.btn-done").await;

    // The token is for the scope that was ticked.
    for (operation, status) in [("list", "200"), ("create", "403")] {
        let operation = format!("#operations-default-{operation}");
        click(&page, &format!("{operation} .opblock-summary-control")).await;
        click(&page, &format!("{operation} .try-out__btn")).await;
        click(&page, &format!("{operation} .execute")).await;
        let shown = format!("{operation} .live-responses-table .response .response-col_status");
        let shown = find(&page, &shown).await.text().await.unwrap();
        assert!(shown.starts_with(status), "{operation}: {shown}");
        click(&page, &format!("{operation} .opblock-summary-control")).await;
    }
    page.close().await.unwrap();
}
