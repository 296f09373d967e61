//! The table of the routes. `UPDATE_EXPECT=1 cargo test -p doorward-example-service` writes it.

use std::fs;
use std::process::Command;

use expect_test::expect_file;

use crate::server::Database;

fn run(folder: &Database, arguments: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_doorward-example-service"));
    program.arg("--routes").args(arguments);
    let output = program.current_dir(folder.folder()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

/// Each change of rights is a change of the file.
#[test]
fn each_route_requires_what_is_listed() {
    let folder = Database::new();
    let table = run(&folder, &[]);
    expect_file!["routes.txt"].assert_eq(&table);
    let created = fs::read_dir(folder.folder()).unwrap();
    assert_eq!(created.count(), 0, "it needs no database");
}

#[test]
fn the_path_of_the_metadata_is_that_of_the_public_url() {
    let folder = Database::new();
    let table = run(&folder, &["--public-url", "https://example.com/notes"]);
    let path = "/.well-known/oauth-authorization-server/notes ";
    assert!(table.contains(path), "{table}");
}
