//! The service over sockets. Each test has its server and its database.

mod arguments;
mod bodies;
#[path = "../../../tests/examples/browser.rs"]
mod browser;
mod connections;
mod crash;
mod first_start;
mod full_disk;
mod introspection;
mod limits;
mod logs;
mod memory;
mod metrics;
mod nodes;
mod operators;
mod pages;
mod refresh;
mod refusals;
mod restart;
mod routes;
mod server;
mod shutdown;
mod swagger_ui;
mod tour;
