//! What has to notice a mutant. `bash tests/mutants/run` makes them.

extern crate self as tollgate_tests;

#[path = "../src/by_the_book.rs"]
pub mod by_the_book;
#[path = "../src/chains.rs"]
pub mod chains;
#[path = "../src/client.rs"]
pub mod client;
#[path = "../src/schemes.rs"]
pub mod schemes;
#[path = "../src/shown.rs"]
pub mod shown;
#[path = "../src/vectors.rs"]
pub mod vectors;

#[path = "../tests/axum.rs"]
mod of_axum;
#[path = "../tests/clients.rs"]
mod of_clients;
#[path = "../tests/errors.rs"]
mod of_errors;
#[path = "../tests/forms.rs"]
mod of_forms;
#[path = "../tests/properties.rs"]
mod of_properties;
#[path = "../tests/schemes.rs"]
mod of_schemes;
#[path = "../tests/scopes.rs"]
mod of_scopes;
#[path = "../tests/secrets.rs"]
mod of_secrets;
#[allow(unreachable_pub, reason = "a program of its own makes it public")]
#[path = "../tests/trees.rs"]
mod of_trees;
#[path = "../tests/vectors.rs"]
mod of_vectors;
