//! The tests that must notice every mutant. `bash tests/long/mutants/run` creates the mutants.

extern crate self as doorward_tests;

#[path = "../../src/by_the_book.rs"]
pub mod by_the_book;
#[path = "../../src/chains.rs"]
pub mod chains;
#[path = "../../src/client.rs"]
pub mod client;
#[path = "../../src/credentials.rs"]
pub mod credentials;
#[path = "../../src/grants.rs"]
pub mod grants;
#[path = "../../src/schemes.rs"]
pub mod schemes;
#[path = "../../src/shown.rs"]
pub mod shown;
#[path = "../../src/vectors.rs"]
pub mod vectors;

#[expect(dead_code, reason = "not all tests are here")]
#[path = "../../tests/behaviour/asking.rs"]
mod asking;
#[path = "../../tests/behaviour/forms.rs"]
mod forms;

#[path = "../../tests/behaviour/alternatives.rs"]
mod of_alternatives;
#[path = "../../tests/behaviour/axum.rs"]
mod of_axum;
#[path = "../../tests/behaviour/clients.rs"]
mod of_clients;
#[path = "../../tests/behaviour/errors.rs"]
mod of_errors;
#[path = "../../tests/behaviour/grants.rs"]
mod of_grants;
#[path = "../../tests/behaviour/properties.rs"]
mod of_properties;
#[path = "../../tests/behaviour/schemes.rs"]
mod of_schemes;
#[path = "../../tests/behaviour/scopes.rs"]
mod of_scopes;
#[path = "../../tests/behaviour/trees.rs"]
mod of_trees;
#[path = "../../tests/behaviour/vectors.rs"]
mod of_vectors;
