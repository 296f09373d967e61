//! A dependency that builds a rejection with a mistake for a request. Every framework refuses the
//! request, and nothing panics.

use doorward::{BearerToken, Rejection, dependency};
use http::{Request, StatusCode};

use super::OAuth2;
use super::each::{self, each_framework};

/// Lets in the token `good`. For any other, the token names the mistake.
#[dependency]
fn checked(#[security(OAuth2)] token: BearerToken) -> Result<String, Rejection> {
    let wrong = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Wrong");
    Err(match token.as_str() {
        "good" => return Ok("in".to_owned()),
        "upper-case" => wrong.with_headers(&[("WWW-Authenticate", "Basic"), ("X-Reason", "why")]),
        "success" => Rejection::new(StatusCode::OK).with_detail("Wrong").with_challenge("Basic"),
        "informational" => Rejection::new(StatusCode::CONTINUE).with_json(r#"{"detail":"Wrong"}"#),
        "unmodified" => Rejection::new(StatusCode::NOT_MODIFIED).with_detail("Wrong"),
        "alphabet" => wrong.with_challenge("Basic realm=\"café\""),
        "control" => wrong.with_challenge("Basic\r\nSet-Cookie: a=b"),
        "names" => wrong.with_headers(&[("", "1"), ("x y", "2"), ("é", "3"), ("X-Reason", "why")]),
        "values" => wrong.with_headers(&[("x-reason", "a\nb"), ("x-reason", " why ")]),
        "of the body" => wrong.with_headers(&[
            ("Content-Length", "9"),
            ("content-type", "text/html"),
            ("Connection", "upgrade"),
            ("Transfer-Encoding", "chunked"),
        ]),
        _ => wrong.with_body("text/é", "Wrong"),
    })
}

/// What a client sees: the status, the challenges, the reasons, the type and the text of the body.
type Answer = (u16, Vec<String>, Vec<String>, Option<String>, String);

fn seen(answer: each::Answer) -> Answer {
    let lines = |name| {
        let lines = answer.headers().get_all(name).iter();
        Vec::from_iter(lines.map(|line| line.to_str().unwrap().to_owned()))
    };
    (
        answer.status().as_u16(),
        lines("www-authenticate"),
        lines("x-reason"),
        lines("content-type").pop(),
        answer.into_body(),
    )
}

#[test]
fn on_each_framework() {
    for (framework, ask) in each_framework!(checked) {
        check(framework, |token| {
            let line = format!("Bearer {token}");
            let request = Request::get("/").header("authorization", line);
            seen(ask(request.body("").unwrap()))
        });
    }
}

/// Checks each answer. `ask` sends a request with a token.
fn check(framework: &str, ask: impl Fn(&str) -> Answer) {
    let lines = |lines: &[&str]| Vec::from_iter(lines.iter().map(|&line| line.to_owned()));
    let json = r#"{"detail":"Wrong"}"#;
    for (token, status, challenges, reasons) in [
        ("upper-case", 401, &["Basic"][..], &["why"][..]),
        ("success", 500, &["Basic"], &[]),
        ("informational", 500, &[], &[]),
        ("unmodified", 500, &[], &[]),
        // Without one of its own, a refusal has the challenge of the scheme.
        ("alphabet", 401, &["Bearer"], &[]),
        ("control", 401, &["Bearer"], &[]),
        ("names", 401, &["Bearer"], &["why"]),
        ("values", 401, &["Bearer"], &["why"]),
        ("of the body", 401, &["Bearer"], &[]),
    ] {
        let content_type = Some("application/json".to_owned());
        let body = json.to_owned();
        let expected = (status, lines(challenges), lines(reasons), content_type, body);
        assert_eq!(ask(token), expected, "{framework}: {token}");
    }
    let (status, _, _, content_type, body) = ask("type");
    assert_eq!((status, &*body), (401, "Wrong"), "{framework}");
    assert!(!content_type.is_some_and(|value| value.starts_with("text/é")));
    // The service still answers.
    let (status, _, _, _, body) = ask("good");
    assert_eq!((status, &*body), (200, "in"), "{framework}");
}
