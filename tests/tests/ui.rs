//! Every mistake that the macros report, by its kind: each file under `ui` holds one, and beside it what the compiler prints.

#[test]
fn mistakes_are_reported_at_the_users_token() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
