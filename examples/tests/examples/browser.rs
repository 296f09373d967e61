//! Swagger UI in a real browser.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;

/// A `chromedriver` process, killed when this value is dropped.
pub(crate) struct Driver {
    process: Child,
    url: String,
}

impl Driver {
    /// Starts a driver. Returns `None` if it is not installed, unless `DOORWARD_BROWSER` is set.
    pub(crate) fn start() -> Option<Self> {
        // The port that it has found may be taken a moment later, so it may not start.
        let driver = (0..5).find_map(|_| Self::try_start());
        if driver.is_none() {
            assert!(std::env::var_os("DOORWARD_BROWSER").is_none(), "no `chromedriver`");
            println!("skipped: there is no `chromedriver`");
        }
        driver
    }

    fn try_start() -> Option<Self> {
        let mut process =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn().ok()?;
        let lines = BufReader::new(process.stdout.take()?).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let port = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        })?;
        Some(Self { process, url: format!("http://127.0.0.1:{port}") })
    }

    /// Opens a page.
    pub(crate) async fn open(&self, url: &str) -> Page {
        let options = json!({ "goog:chromeOptions": {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1000"]
        } });
        let page = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(options.as_object().unwrap().clone())
            .connect(&self.url)
            .await
            .unwrap();
        page.goto(url).await.unwrap();
        Page(page)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A page of Swagger UI.
pub(crate) struct Page(pub(crate) Client);

impl Page {
    pub(crate) async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap();
    }

    pub(crate) async fn find(&self, css: &str) -> Element {
        let found = self.0.wait().at_most(Duration::from_secs(30));
        found.for_element(Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// Calls the operation with this id. Returns the status and the response as displayed.
    pub(crate) async fn execute(&self, id: &str) -> (String, String) {
        let operation = format!("#operations-default-{id}");
        self.click(&format!("{operation} .opblock-summary-control")).await;
        self.click(&format!("{operation} .try-out__btn")).await;
        self.click(&format!("{operation} .execute")).await;
        let response = format!("{operation} .live-responses-table .response");
        (self.text(&format!("{response} .response-col_status")).await, self.text(&response).await)
    }

    pub(crate) async fn write(&self, css: &str, text: &str) {
        self.find(css).await.send_keys(text).await.unwrap();
    }

    /// Sends the form of the dialog "Authorize", and closes it when the page is logged in.
    pub(crate) async fn log_in(&self) {
        self.click(".auth-btn-wrapper button.authorize").await;
        let logout = Locator::XPath("//button[text()='Logout']");
        let logged_in = self.0.wait().at_most(Duration::from_secs(30));
        logged_in.for_element(logout).await.unwrap();
        self.click(".auth-btn-wrapper button.btn-done").await;
    }
}
