//! The client of rmcp with a server and an authorization server that are running. `tests/peers/mcp/run`
//! starts them, and this test by its name.

mod client;

use std::env;

#[tokio::test]
async fn a_client_logs_in_and_steps_up() {
    let consent = env::var("MCP_CONSENT").unwrap();
    client::walk(&env::var("MCP_SERVER").unwrap(), async |url| {
        let user = reqwest::Client::new().post(&consent).body(url);
        user.send().await.unwrap().text().await.unwrap()
    })
    .await;
}
