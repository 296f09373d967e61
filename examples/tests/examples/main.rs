//! Tests the examples as users run them: over sockets, with clients and a browser.

mod browser;
mod explain;
mod issuer;
mod plain_http;
mod swagger_ui;
mod token_endpoint;
mod tutorial;
mod websocket;
