//! Checks constants by the rules that the macros apply to literals.

use crate::credential::kind::SchemeKind;
use crate::form::grant::GrantName;
use crate::refusal::rejection::Rejection;
use crate::scheme::flow::Flow;
use crate::scheme::setting::rule::Rule;
use crate::scheme::setting::text_or_setting::TextOrSetting;
use crate::syntax::const_str;

/// Returns a flow that a scheme has, for a check to read.
#[must_use]
pub const fn flow(flow: Option<Flow>) -> Flow {
    match flow {
        Some(flow) => flow,
        None => Flow::new(),
    }
}

/// Returns the URL of a scheme's discovery document, if it has one, for a check to read.
#[must_use]
pub const fn discovery_url(kind: SchemeKind) -> Option<TextOrSetting> {
    match kind {
        SchemeKind::OpenIdConnect { url, .. } => Some(url),
        _ => None,
    }
}

/// Checks a URL of a flow or of OpenID Connect that is given as a constant.
#[track_caller]
pub const fn check_url(url: Option<TextOrSetting>) {
    check_value(url, Rule::Url);
}

/// Checks a realm that is given as a constant.
#[track_caller]
pub const fn check_realm(realm: Option<TextOrSetting>) {
    check_value(realm, Rule::Realm);
}

/// Checks the URL of a resource.
#[track_caller]
pub const fn check_resource(url: Option<TextOrSetting>) {
    check_value(url, Rule::Resource);
}

/// Checks one of the issuers of authorization servers.
#[track_caller]
pub const fn check_issuer(issuers: &[TextOrSetting], number: usize) {
    if let [issuer, ..] = issuers.split_at(number).1 {
        check_value(Some(*issuer), Rule::Issuer);
    }
}

/// Checks that a scheme and its verifier agree about tokens that come with the scheme name `DPoP`.
#[track_caller]
#[allow(
    clippy::missing_panics_doc,
    reason = "evaluated at compile time, where a panic is a compile error"
)]
pub const fn check_dpop(by_verifier: bool, by_scheme: bool) {
    assert!(
        by_verifier || !by_scheme,
        "the verifier of a scheme with `dpop` checks the proof, and this one does not; write `by = KeyBound<TokenVerifier<Claims>>`"
    );
    assert!(
        by_scheme || !by_verifier,
        "this verifier checks the proof of `Authorization: DPoP`, which the scheme does not read; write `dpop` before `verified`"
    );
}

/// Checks the name of an API key that is given as a constant.
#[track_caller]
pub const fn check_key_name(kind: SchemeKind) {
    if let SchemeKind::ApiKey(location) = kind {
        location.rule().assert(location.name());
    }
}

/// Checks a value that is known at compile time. A setting checks its own when it is set.
#[track_caller]
const fn check_value(value: Option<TextOrSetting>, rule: Rule) {
    if let Some(TextOrSetting::Text(value)) = value {
        rule.assert(value);
    }
}

/// Checks a rejection, which is not sent as it was written if it has a mistake.
#[track_caller]
#[allow(clippy::panic, reason = "evaluated at compile time, where a panic is a compile error")]
pub const fn check_rejection(rejection: Option<Rejection>) {
    if let Some(rejection) = rejection
        && let Some(fault) = rejection.fault()
    {
        panic!("{}", fault.rule());
    }
}

/// Checks the reason of a public handler given as a constant by the rule that the macro applies to
/// literals.
#[track_caller]
pub const fn check_reason(reason: Option<&str>) {
    if let Some(reason) = reason {
        assert!(
            !reason.trim_ascii().is_empty(),
            "the reason must not be empty; write why anyone may call this"
        );
    }
}

/// Checks a scheme name given as a constant by the rule that the macros apply to literals.
#[track_caller]
pub const fn check_scheme_name(name: &str) {
    assert!(!name.is_empty(), "a scheme name must not be empty");
    let mut rest = name.as_bytes();
    while let [byte, tail @ ..] = rest {
        assert!(
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'),
            "a scheme name is made of ASCII letters, digits, `.`, `-` and `_`"
        );
        rest = tail;
    }
}

/// Checks a form's limit given as a constant by the rule that the macros apply to literals.
#[track_caller]
pub const fn check_max_bytes(max_bytes: usize) {
    assert!(max_bytes > 0, "`max_bytes` must be above 0");
}

/// Checks the name of a grant in an enum.
#[track_caller]
pub const fn check_grant(grants: &[GrantName], number: usize) {
    let (mut before, [grant, ..]) = grants.split_at(number) else {
        return;
    };
    assert!(
        !grant.is_enum,
        "a variant has the form of one grant; write the variants of this enum here"
    );
    let name = grant.get();
    assert!(
        name.is_some(),
        "this form has no grant type; write it above the variant: `#[grant(\"…\")]`"
    );
    let Some(name) = name else { return };
    if let Some(of_form) = grant.of_form {
        assert!(
            const_str::eq(name, of_form),
            "the form has another grant type; remove `#[grant(\"…\")]`"
        );
    }
    while let [other, rest @ ..] = before {
        if let Some(other) = other.get() {
            assert!(
                !const_str::eq(name, other),
                "another variant has the same grant type; remove one of them"
            );
        }
        before = rest;
    }
}
