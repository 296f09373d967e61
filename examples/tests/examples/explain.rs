//! Tests the program that says why a token is refused.

use std::io::Write as _;
use std::process::{Command, Stdio};

use doorward::testing::TestAuthority;

const AUDIENCE: &str = "https://api.example.com";

/// Returns whether a token is accepted, and what the program prints.
fn explained(authority: &TestAuthority, options: &[&str], token: &str) -> (bool, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_explain"));
    program.args(["--issuer", authority.issuer(), "--jwks", authority.jwks()]).args(options);
    let program = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = program.spawn().unwrap();
    running.stdin.take().unwrap().write_all(token.as_bytes()).unwrap();
    let done = running.wait_with_output().unwrap();
    let text = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
    (done.status.success(), text)
}

#[test]
fn a_token_is_accepted_or_explained() {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let token = authority.token("johndoe").scopes(["items"]);
    let good = token.clone().sign().unwrap();
    let (is_accepted, text) = explained(&authority, &["--audience", AUDIENCE], good.as_str());
    assert!(is_accepted && text.contains("Accepted, with these scopes: items"), "{text}");

    let usual = token.header("typ", "JWT").claim("aud", "account").sign().unwrap();
    let (is_accepted, text) = explained(&authority, &["--audience", AUDIENCE], usual.as_str());
    assert!(!is_accepted);
    for part in [
        "the token has another type",
        "expected `at+jwt`",
        "found    `JWT`",
        "setting  token_type",
        "also `aud`: expected `https://api.example.com`, found `account`, see `audience`",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }

    let options = ["--audience", "account", "--token-type", "JWT", "--token-type", "at+jwt"];
    assert!(explained(&authority, &options, usual.as_str()).0);
    let (is_accepted, text) = explained(&authority, &["--audienze", AUDIENCE], good.as_str());
    assert!(!is_accepted && text.contains("unknown field `audienze`"), "{text}");
}
