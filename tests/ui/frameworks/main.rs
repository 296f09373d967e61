//! The mistakes that the compiler finds with the help of a framework. `../main.rs` has all others.

#[test]
fn mistakes_are_reported_at_the_users_token() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
