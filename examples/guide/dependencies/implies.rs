use doorward::http_bearer;

#[http_bearer(scopes(
    "admin" implies("items:write") = "Do everything.",
    "items:write" implies("items:read") = "Change items.",
    "items:read" = "Read items.",
))]
struct Api;

#[test]
fn a_scope_includes_what_it_implies() {
    use doorward::Scheme;

    assert!(Api::CONFIG.grants(&["admin"], "items:read"));
    assert!(!Api::CONFIG.grants(&["items:read"], "items:write"));
}
