//! Random handlers and guards: the compiler reports exactly those that the model says it refuses.

use std::fs;
use std::path::Path;

use crate::printed::printed;
use crate::random::Random;
use crate::random_handlers::generate;

const IMPORTS: &str = "\
use std::convert::Infallible;
use axum::response::Response;
use doorward::axum08::{Router, routing::get};
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{ApiKey, Rejection, SecurityScopes, api_key, dependency, http_bearer, layer, one_of, public, secured};

struct Nobody;

impl Verify for Nobody {
    type Claims = ();

    async fn verify(&self, _: impl Into<Presented> + Send, scopes: SecurityScopes) -> Result<Verified<()>, VerifyError> {
        Err(VerifyError::invalid_token(scopes))
    }
}

";

#[test]
fn doors_and_guards_refuse_exactly_what_is_open() {
    let program = generate(&mut Random::seeded()).expect("a string");
    let mut source = format!("{IMPORTS}{}\nfn main() {{\n", program.items);
    let mut refused = Vec::new();
    let mut add = |line: String, is_refused: bool| {
        source += &line;
        if is_refused {
            refused.push(source.lines().count());
        }
    };
    for (number, is_declared) in program.declared.iter().enumerate() {
        let line = format!("let _: Router = Router::new().route(\"/\", get(h{number}));\n");
        add(line, !is_declared);
    }
    for (path, is_guard) in program.guards {
        add(format!("let _ = layer!({path});\n"), !is_guard);
    }
    source += "}\n";

    // Beside the other programs, so that what they depend on is compiled once.
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("handlers");
    fs::create_dir_all(package.join("examples")).expect("a folder");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let runtime = runtime.canonicalize().expect("a folder of the repository");
    let manifest = fs::read_to_string("cases/Cargo.toml").expect("a file of the repository");
    let manifest = manifest.replace("../../../runtime", &runtime.display().to_string());
    fs::write(package.join("Cargo.toml"), manifest).expect("a file");
    fs::write(package.join("examples/handlers.rs"), &source).expect("a file");
    let printed = printed(package.to_str().expect("a path"));
    let short = &printed["handlers"].short;
    let lines = short.lines().filter(|line| line.contains(" error"));
    let lines = lines.map(|line| line.split(':').next().and_then(|line| line.parse().ok()));
    let mut reported = Vec::from_iter(lines.map(|line| line.expect("a line of the program")));
    reported.sort_unstable();
    let at = |lines: Vec<usize>| {
        let lines = lines.into_iter().map(|line| source.lines().nth(line - 1).unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(at(reported), at(refused), "{short}");
}
