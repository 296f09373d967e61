//! Messages that come in no request.

use rmcp::model::{CallToolRequestParams, ClientConfig, ReadResourceRequestParams};
use rmcp::{ServiceExt, service::ServiceError};

use super::Notes;

#[tokio::test]
async fn without_a_request_a_secured_method_refuses() {
    let (client, server) = tokio::io::duplex(4096);
    let server = tokio::spawn(async move { Notes::default().serve(server).await });
    let client = ClientConfig::default().serve(client).await.unwrap();
    let _server = server.await.unwrap().unwrap();
    let sentence =
        "this is secured, and the message came in no HTTP request that could have a token";

    let listed = client.call_tool(CallToolRequestParams::new("list_notes")).await;
    let ServiceError::McpError(error) = listed.unwrap_err() else { panic!("an error of MCP") };
    assert_eq!(error.message, sentence);
    let arguments = serde_json::json!({ "text": "Milk" }).as_object().cloned().unwrap();
    let add = CallToolRequestParams::new("add_note").with_arguments(arguments);
    let added = client.call_tool(add).await.unwrap();
    assert_eq!(added.is_error, Some(true));
    assert_eq!(added.content[0].as_text().unwrap().text, sentence);
    let read = client.read_resource(ReadResourceRequestParams::new("note://1")).await;
    let ServiceError::McpError(error) = read.unwrap_err() else { panic!("an error of MCP") };
    assert_eq!(error.message, sentence);

    let hello = client.call_tool(CallToolRequestParams::new("hello")).await.unwrap();
    assert_eq!(hello.content[0].as_text().unwrap().text, "hello");
}

#[test]
fn what_is_printed_has_no_secret() {
    let head = http::Request::get("/").header("authorization", "Bearer s3cret").body(()).unwrap();
    let head = doorward::rmcp3::Head::from(head.into_parts().0);
    let none = Notes::handler_routes();
    let undecided = doorward::rmcp3::declared(Notes::tool_router(), &none).err().unwrap();
    let printed = format!("{head:?} {head:#?} {undecided:?} {undecided}");
    assert!(!printed.contains("s3cret"), "{printed}");
}
