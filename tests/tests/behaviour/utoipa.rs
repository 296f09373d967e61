//! Documents of utoipa, and the router of utoipa-axum: the same cases with both versions, in one
//! build. Version 5 alone is for `tests/package/shared-features`.

#![allow(clippy::duplicate_mod, reason = "each version reads the cases")]

/// The names of the crates are those that the macros of utoipa write.
#[path = "utoipa"]
mod version6 {
    use ::{utoipa, utoipa_axum};
    use doorward::utoipa_axum03 as doors;

    mod documents;
    mod operations;
    mod routes;
}

#[path = "utoipa"]
mod version5 {
    use ::{utoipa_axum02 as utoipa_axum, utoipa5 as utoipa};
    use doorward::utoipa_axum02 as doors;

    mod both;
    mod documents;
    mod routes;
}
