//! What each macro expands to: const data and impls of a line each, and the user's item as it was.

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::quote;

use crate::flow::FlowKind;
use crate::{bearer, oauth2, password_request_form};

fn assert_expansion(expansion: TokenStream, expected: &Expect) {
    expected.assert_eq(&prettyplease::unparse(&syn::parse2(expansion).unwrap()));
}

#[test]
fn base_scheme() {
    let args = quote!(
        flows(implicit(
            authorization_url = "authorize",
            scopes("me" = "Read me.")
        )),
        auto_error = false
    );
    let item = quote!(
        /// Tokens of ours.
        pub struct OAuth2;
    );
    assert_expansion(
        oauth2::expand(args, &item),
        &expect![[r#"
            /// Tokens of ours.
            pub struct OAuth2;
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::tollgate::Scheme for OAuth2 {
                type Yield = ::core::option::Option<::tollgate::AuthorizationValue>;
                const CONFIG: ::tollgate::SchemeConfig = ::tollgate::SchemeConfig::new::<
                    <Self as ::tollgate::Scheme>::Yield,
                >("OAuth2")
                    .description("Tokens of ours.")
                    .flows(
                        ::tollgate::Flows::NONE
                            .implicit(
                                ::tollgate::Flow::EMPTY
                                    .authorization_url("authorize")
                                    .scopes(&[::tollgate::Scope::new("me", "Read me.")]),
                            ),
                    );
            }
        "#]],
    );
}

#[test]
fn password_bearer_scheme() {
    let args = quote!(token_url = TOKEN_URL, strict, rejection = REJECTION);
    let expansion = bearer::expand(
        "oauth2_password_bearer",
        FlowKind::Password,
        args,
        &quote!(
            struct OAuth2;
        ),
    );
    assert_expansion(
        expansion,
        &expect![[r#"
            struct OAuth2;
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::tollgate::Scheme for OAuth2 {
                type Yield = ::tollgate::BearerToken;
                const CONFIG: ::tollgate::SchemeConfig = ::tollgate::SchemeConfig::new::<
                    <Self as ::tollgate::Scheme>::Yield,
                >("OAuth2")
                    .flows(
                        ::tollgate::Flows::NONE
                            .password(::tollgate::Flow::EMPTY.token_url(TOKEN_URL).scopes(&[])),
                    )
                    .strict(true)
                    .rejection(REJECTION);
            }
            const _: () = ::tollgate::__rt::check_url(
                ::tollgate::__rt::flow(<OAuth2 as ::tollgate::Scheme>::CONFIG.flows.password)
                    .token_url,
            );
            const _: () = ::tollgate::__rt::check_rejection(
                <OAuth2 as ::tollgate::Scheme>::CONFIG.rejection,
            );
        "#]],
    );
}

#[test]
fn owned_form() {
    let item = quote!(
        #[password_form(strict, max_bytes = 1024)]
        struct Login {
            username: String,
            #[password_form(from)]
            password: Password,
            otp: Option<String>,
        }
    );
    assert_expansion(
        password_request_form::expand(item),
        &expect![[r##"
            #[automatically_derived]
            #[allow(deprecated)]
            impl<'body> ::tollgate::PasswordRequestForm<'body> for Login {
                const CONFIG: ::tollgate::FormConfig = ::tollgate::FormConfig::new()
                    .strict(true)
                    .max_bytes(1024);
                fn decode(
                    body: &'body [::core::primitive::u8],
                ) -> ::core::result::Result<Self, ::tollgate::FormError> {
                    ::tollgate::__rt::decode(
                        body,
                        <Self as ::tollgate::PasswordRequestForm<'body>>::CONFIG,
                        ["otp"],
                        |fields| {
                            let field_0 = fields
                                .text::<String>(::tollgate::__rt::Standard::Username);
                            let field_1 = fields
                                .text_from::<
                                    ::std::string::String,
                                    Password,
                                    ::tollgate::__rt::Directly,
                                >(::tollgate::__rt::Standard::Password);
                            let field_2 = fields.value::<Option<String>>(0usize);
                            ::core::option::Option::Some(Self {
                                username: field_0?,
                                password: field_1?,
                                otp: field_2?,
                            })
                        },
                    )
                }
            }
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::tollgate::OwnedForm for Login {}
        "##]],
    );
}

#[test]
fn borrowing_form() {
    let item = quote!(
        struct Login<'a> {
            username: Cow<'a, str>,
            password: Cow<'a, str>,
            scopes: Scopes<'a>,
        }
    );
    assert_expansion(
        password_request_form::expand(item),
        &expect![[r#"
            #[automatically_derived]
            #[allow(deprecated)]
            impl<'a> ::tollgate::PasswordRequestForm<'a> for Login<'a> {
                const CONFIG: ::tollgate::FormConfig = ::tollgate::FormConfig::new().strict(false);
                fn decode(
                    body: &'a [::core::primitive::u8],
                ) -> ::core::result::Result<Self, ::tollgate::FormError> {
                    ::tollgate::__rt::decode(
                        body,
                        <Self as ::tollgate::PasswordRequestForm<'a>>::CONFIG,
                        [],
                        |fields| {
                            let field_0 = fields
                                .text::<Cow<'a, str>>(::tollgate::__rt::Standard::Username);
                            let field_1 = fields
                                .text::<Cow<'a, str>>(::tollgate::__rt::Standard::Password);
                            let field_2 = fields.scopes::<Scopes<'a>>();
                            ::core::option::Option::Some(Self {
                                username: field_0?,
                                password: field_1?,
                                scopes: field_2?,
                            })
                        },
                    )
                }
            }
        "#]],
    );
}

#[test]
fn under_another_name() {
    let bearer = bearer::expand(
        "oauth2_authorization_code_bearer",
        FlowKind::AuthorizationCode,
        quote!(
            crate = gate,
            authorization_url = A,
            token_url = T,
            scopes("me" = "Me.")
        ),
        &quote!(
            struct OAuth2;
        ),
    );
    let base = oauth2::expand(
        quote!(crate = gate),
        &quote!(
            struct OAuth2;
        ),
    );
    let form = password_request_form::expand(quote!(
        #[password_form(crate = gate, max_bytes = M)]
        struct Login {
            username: String,
            #[password_form(from)]
            password: Password,
            scopes: Vec<String>,
            otp: u32,
        }
    ));
    for expansion in [bearer, base, form] {
        assert!(!expansion.to_string().contains("tollgate"), "{expansion}");
    }
}
