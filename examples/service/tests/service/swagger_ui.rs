//! The page of the description in a real browser: it logs in, and calls a route.
//!
//! Skipped if `chromedriver` is not installed, unless `DOORWARD_BROWSER` is set.

use crate::browser::Driver;
use crate::server::{PASSWORD, with_john};

#[tokio::test]
async fn swagger_ui_logs_in_and_lists_notes() {
    let Some(driver) = Driver::start() else {
        return;
    };
    let (_database, server) = with_john().await;
    let page = driver.open(&format!("http://{}/", server.address)).await;

    page.click(".auth-wrapper button.authorize").await;
    page.write("#oauth_username", "johndoe").await;
    page.write("#oauth_password", PASSWORD).await;
    page.click("label[for='notes:read-password-checkbox-Login']").await;
    page.log_in().await;

    // The token is for the scope that was ticked.
    for (operation, expected) in [("list", "200"), ("create", "403")] {
        let (status, _) = page.execute(operation).await;
        assert!(status.starts_with(expected), "{operation}: {status}");
        page.click(&format!("#operations-default-{operation} .opblock-summary-control")).await;
    }

    // The page asks which note to delete.
    let delete = "#operations-default-delete";
    page.click(&format!("{delete} .opblock-summary-control")).await;
    page.click(&format!("{delete} .try-out__btn")).await;
    page.write(&format!("{delete} [data-param-name='id'] input"), "1").await;
    page.click(&format!("{delete} .execute")).await;
    let status = format!("{delete} .live-responses-table .response .response-col_status");
    let status = page.text(&status).await;
    assert!(status.starts_with("403"), "{status}");
    page.0.close().await.unwrap();
}
