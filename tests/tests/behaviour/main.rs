//! Tests of the crate's behaviour, one module for each part. They form a single program, because
//! each program links every framework.

mod allocation;
mod alternatives;
mod axum;
mod challenges;
mod clients;
mod dependencies;
mod enforced;
mod errors;
mod forms;
mod frameworks;
mod grants;
mod handlers;
mod hygiene;
mod jwt;
mod late_refusals;
mod notices;
mod one_of;
mod openapi;
mod presented;
mod process;
mod properties;
mod public_types;
mod repository;
mod run_time_values;
mod schemes;
mod scopes;
mod secrets;
mod settings;
mod shared;
mod tracing;
mod trees;
mod types;
mod utoipa;
mod vectors;
mod websocket;
