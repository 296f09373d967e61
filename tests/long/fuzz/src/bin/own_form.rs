//! Fuzzes a custom form with additional fields that serde reads.
#![no_main]

use std::borrow::Cow;

use doorward::PasswordRequestForm;
use doorward::form::{FaultKind, RequestForm, RequestedScopes};
use doorward_fuzz::by_the_book;
use libfuzzer_sys::fuzz_target;

#[derive(PasswordRequestForm)]
struct Login<'a> {
    username: Cow<'a, str>,
    password: Cow<'a, str>,
    scopes: RequestedScopes<'a>,
    tenant: u32,
    otp: Option<String>,
    #[password_form(rename = "a+b")]
    sum: Option<String>,
}

fuzz_target!(|body: &[u8]| {
    if body.len() > 60_000 {
        return;
    }
    let found = by_the_book::parameters(body, &["tenant", "otp", "a+b"]);
    let standard = by_the_book::password_form(body, false);
    let tenant = match found.get("tenant") {
        Some(Ok(tenant)) => tenant.parse::<u32>().ok(),
        _ => None,
    };
    let own_are_good = found.values().all(Result::is_ok) && tenant.is_some();
    match Login::decode(body) {
        Ok(form) => {
            let standard = standard.expect("the standard fields are good");
            assert_eq!(*form.username, standard["username"]);
            assert_eq!(*form.password, standard["password"]);
            let scope = standard.get("scope").map_or("", String::as_str);
            assert!(form.scopes.iter().eq(scope.split_whitespace()));
            assert!(own_are_good);
            assert_eq!(Some(form.tenant), tenant);
            let own = |name: &str| found.get(name).cloned().transpose().expect("a good value");
            assert_eq!((form.otp, form.sum), (own("otp"), own("a+b")));
        }
        Err(error) => {
            assert!(standard.is_err() || !own_are_good, "{error}");
            assert!(!error.faults().is_empty());
            for fault in error.faults() {
                assert!(fault.kind != FaultKind::TooLarge && fault.field.is_some());
            }
        }
    }
});
