//! What a service has to mend is on stderr, once, in debug builds: read from outside the process.

use doorward::head::FromHead;
use doorward::{Rejection, Shared};
use http::StatusCode;

use super::process;
use super::shared::{
    TAKEN, Tokens, of_actix_web, of_axum, of_head, of_poem, of_rocket, of_salvo, of_warp,
};

/// A value that nobody installs.
struct Other;

/// The part that runs in a process of its own.
#[test]
fn a_service_with_mistakes() {
    if !process::is_its_own() {
        return;
    }
    for _ in 0..3 {
        for of_framework in [of_axum, of_actix_web, of_poem, of_rocket, of_salvo, of_warp, of_head]
        {
            assert_eq!(of_framework(TAKEN, None).0, 500);
        }
        let (mut head, ()) = http::Request::new(()).into_parts();
        assert!(Shared::<Other>::from_head(&mut head).is_err());
        let rejections = [
            Rejection::new(StatusCode::OK).with_detail("t0ps3cret"),
            Rejection::new(StatusCode::UNAUTHORIZED)
                .with_detail("t0ps3cret")
                .with_challenge("t0ps3cret \u{e9}"),
        ];
        for rejection in rejections {
            let _ = http::Response::<String>::from(rejection);
        }
    }
}

#[test]
fn each_mistake_is_said_once() {
    let mut service = process::of("notices::a_service_with_mistakes");
    let output = service.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let mut lines: Vec<_> =
        said.lines().filter_map(|line| line.strip_prefix("doorward: ")).collect();
    lines.sort_unstable();
    assert!(!said.contains("t0ps3cret"), "{said}");
    if cfg!(not(debug_assertions)) {
        assert!(lines.is_empty(), "{said}");
        return;
    }
    let missing = |of: &str| format!("`Shared<{of}>` is not installed, so the answer is a 500; ");
    let tokens = missing(std::any::type_name::<Tokens>());
    let how = |line: &&str| line.strip_prefix(&tokens).map(str::to_owned);
    let hows: Vec<_> = lines.iter().filter_map(how).collect();
    for line in [
        "call `.extension(shared)` on the router, or `.layer(axum::Extension(shared))`",
        "call `.app_data(shared)`",
        "call `.data(shared)`",
        "`.manage(shared)`",
        "affix_state",
        "insert it into the request's extensions",
    ] {
        let said = hows.iter().filter(|how| how.contains(line)).count();
        assert_eq!(said, 1, "{line}: {lines:#?}");
    }
    for line in [
        &*missing(std::any::type_name::<Other>()),
        "in a `Rejection` with status 500: a rejection must have a status of 300 or above",
        "in a `Rejection` with status 401: a header value must consist of visible ASCII",
    ] {
        let said = lines.iter().filter(|said| said.starts_with(line)).count();
        assert_eq!(said, 1, "{line}: {lines:#?}");
    }
    assert_eq!(lines.len(), hows.len() + 3, "{lines:#?}");
}
