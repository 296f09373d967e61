//! The arguments of the program, and its help.

use std::process::{Command, Output};

use jsonwebtoken::dangerous::insecure_decode;
use serde_json::Value;

use crate::server::{PASSWORD, PUBLIC, Server, local_program, send, with_john};

fn run(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_doorward-example-service"));
    program.args(arguments).output().unwrap()
}

#[test]
fn it_says_what_it_takes_and_which_version_it_is() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    let help = String::from_utf8(help.stdout).unwrap();
    for name in
        ["--listen", "--database", "--public-url", "--routes", "--metrics", "127.0.0.1:8000"]
    {
        assert!(help.contains(name), "{help}");
    }
    let version = run(&["--version"]).stdout;
    assert!(String::from_utf8(version).unwrap().contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_argument_is_named() {
    for (arguments, named) in [
        (&["--lisen", "127.0.0.1:0"][..], "--lisen"),
        (&["--listen"], "--listen"),
        (&["--public-url", "notes.example.com"], "https://"),
        (&["--public-url", "https://notes.example.com/#a"], "--public-url"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(named), "{error}");
    }
}

#[tokio::test]
async fn tokens_are_for_the_public_url() {
    let (database, server) = with_john().await;
    let issuer_of = async |server: &Server| {
        let login = server.log_in("johndoe", PASSWORD, "").await;
        let token = login.access_token();
        let notes = send(server.get("/notes").bearer_auth(&token)).await;
        notes.assert_status(200);
        let claims = insecure_decode::<Value>(&token).unwrap().claims;
        assert_eq!(claims["iss"], claims["aud"]);
        (claims["iss"].as_str().unwrap().to_owned(), token)
    };
    let (issuer, token) = issuer_of(&server).await;
    assert_eq!(issuer, PUBLIC);
    server.kill();

    let server = Server::start_and_read(local_program(&database), 3);
    let (issuer, _) = issuer_of(&server).await;
    assert_eq!(issuer, format!("http://{}", server.address));
    // A token for another URL is another service's.
    let notes = server.get("/notes").bearer_auth(token);
    send(notes).await.assert_status(401);
}
