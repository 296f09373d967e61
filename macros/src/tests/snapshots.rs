//! The expansion of each macro: const data and impls of a line each, and the user's unchanged item.

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    api_key, dependency, grant, oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer,
    one_of, open_id_connect, password_request_form, plan, public, request_form, secured,
};

fn assert_expansion(expansion: TokenStream, expected: &Expect) {
    expected.assert_eq(&prettyplease::unparse(&syn::parse2(expansion).unwrap()));
}

#[test]
fn base_scheme() {
    let args = quote!(
        flows(implicit(authorization_url = "authorize", scopes("me" = "Read me."))),
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
            impl ::doorward::Scheme for OAuth2 {
                type Credential = ::core::option::Option<::doorward::AuthorizationValue>;
                const CONFIG: ::doorward::scheme::SchemeConfig = ::doorward::scheme::SchemeConfig::new::<
                    <Self as ::doorward::Scheme>::Credential,
                >("OAuth2")
                    .with_description("Tokens of ours.")
                    .with_flows(
                        ::doorward::scheme::Flows::new()
                            .with_implicit(
                                ::doorward::scheme::Flow::new()
                                    .with_authorization_url(
                                        ::doorward::scheme::TextOrSetting::Text("authorize"),
                                    )
                                    .with_scopes(&[::doorward::scheme::Scope::new("me", "Read me.")]),
                            ),
                    );
            }
            ::doorward::__dependency!(OAuth2);
        "#]],
    );
}

#[test]
fn password_bearer_scheme() {
    let args = quote!(token_url = TOKEN_URL, strict, rejection = REJECTION);
    let expansion = oauth2_password_bearer::expand(
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
            impl ::doorward::Scheme for OAuth2 {
                type Credential = ::doorward::BearerToken;
                const CONFIG: ::doorward::scheme::SchemeConfig = ::doorward::scheme::SchemeConfig::new::<
                    <Self as ::doorward::Scheme>::Credential,
                >("OAuth2")
                    .with_flows(
                        ::doorward::scheme::Flows::new()
                            .with_password(
                                ::doorward::scheme::Flow::new()
                                    .with_token_url(
                                        ::doorward::scheme::TextOrSetting::Text(TOKEN_URL),
                                    )
                                    .with_scopes(&[]),
                            ),
                    )
                    .with_strict(true)
                    .with_rejection(REJECTION);
            }
            ::doorward::__dependency!(OAuth2);
            const _: () = {
                (::doorward::__rt::check_url)(
                    ::doorward::__rt::flow(<OAuth2 as ::doorward::Scheme>::CONFIG.flows().password())
                        .token_url(),
                );
                (::doorward::__rt::check_rejection)(
                    <OAuth2 as ::doorward::Scheme>::CONFIG.rejection(),
                );
            };
        "#]],
    );
}

#[test]
fn api_key_scheme() {
    let args = quote!(
        cookie = "session",
        cross_site,
        auto_error = false,
        rejection(missing = MISSING, repeated = REPEATED)
    );
    let item = quote!(
        struct Session;
    );
    assert_expansion(
        api_key::expand(args, &item),
        &expect![[r#"
            struct Session;
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::doorward::Scheme for Session {
                type Credential = ::core::option::Option<::doorward::ApiKey>;
                const CONFIG: ::doorward::scheme::SchemeConfig = ::doorward::scheme::SchemeConfig::new::<
                    <Self as ::doorward::Scheme>::Credential,
                >("Session")
                    .with_kind(
                        ::doorward::scheme::SchemeKind::ApiKey(::doorward::scheme::ApiKeyLocation::Cookie {
                            name: "session",
                            cross_site: true,
                            takes_first: false,
                        }),
                    )
                    .with_flows(::doorward::scheme::Flows::new())
                    .with_rejections(
                        &[
                            (::doorward::scheme::RejectionReason::Missing, MISSING),
                            (::doorward::scheme::RejectionReason::Repeated, REPEATED),
                        ],
                    );
            }
            ::doorward::__dependency!(Session);
            const _: () = {
                (::doorward::__rt::check_rejection)(
                    ::core::option::Option::Some(
                        <Session as ::doorward::Scheme>::CONFIG
                            .rejection_of(::doorward::scheme::RejectionReason::Missing),
                    ),
                );
                (::doorward::__rt::check_rejection)(
                    ::core::option::Option::Some(
                        <Session as ::doorward::Scheme>::CONFIG
                            .rejection_of(::doorward::scheme::RejectionReason::Repeated),
                    ),
                );
            };
        "#]],
    );
}

#[test]
fn open_id_connect_scheme() {
    let args = quote!(url = URL, scopes("profile" as PROFILE = "Read the profile."));
    let item = quote!(
        struct Login;
    );
    assert_expansion(
        open_id_connect::expand(args, &item),
        &expect![[r#"
            struct Login;
            impl Login {
                ///Read the profile.
                pub const PROFILE: &'static ::core::primitive::str = "profile";
            }
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::doorward::Scheme for Login {
                type Credential = ::doorward::BearerToken;
                const CONFIG: ::doorward::scheme::SchemeConfig = ::doorward::scheme::SchemeConfig::new::<
                    <Self as ::doorward::Scheme>::Credential,
                >("Login")
                    .with_kind(::doorward::scheme::SchemeKind::OpenIdConnect {
                        url: ::doorward::scheme::TextOrSetting::Text(URL),
                    })
                    .with_scopes(&[::doorward::scheme::Scope::new("profile", "Read the profile.")])
                    .with_flows(::doorward::scheme::Flows::new());
            }
            ::doorward::__dependency!(Login);
            const _: () = {
                (::doorward::__rt::check_url)(
                    ::doorward::__rt::discovery_url(<Login as ::doorward::Scheme>::CONFIG.kind()),
                );
            };
        "#]],
    );
}

#[test]
fn alternatives() {
    let item = quote!(
        enum Caller {
            #[security(user, scopes("items"))]
            User(User),
            #[security(services::key, unscoped)]
            Service(&'static str),
            Anonymous,
        }
    );
    assert_expansion(
        one_of::expand(quote!(cached), &item),
        &expect![[r#"
            enum Caller {
                User(User),
                Service(&'static str),
                Anonymous,
            }
            #[automatically_derived]
            impl ::doorward::Dependency for Caller {
                type Output = Self;
                const NODE: &'static ::doorward::__rt::Node = &::doorward::__rt::OneOf::new(
                        "Caller",
                        true,
                    )
                    .node(
                        &[
                            ::doorward::__rt::Edge::new(
                                <user as ::doorward::Dependency>::NODE,
                                &["items"],
                            ),
                            ::doorward::__rt::Edge::new(
                                    <services::key as ::doorward::Dependency>::NODE,
                                    &[],
                                )
                                .unscoped(),
                        ],
                    );
            }
            const _: () = {
                ::doorward::__families! {
                    #[automatically_derived] impl < '__r, __C, __T > __family::Resolve < '__r, __C,
                    __T > for Caller where __T : 'static, __C : __family::Context, user :
                    __family::Resolve < '__r, __C, User >, services::key : __family::Resolve < '__r,
                    __C, & 'static str >, { fn resolve(cx : & mut __C, at : < (user, services::key,)
                    as ::doorward::bounds::Named > ::Cursor,) -> impl ::core::future::Future < Output
                    = ::core::result::Result < __T, __C::Rejection >> + __family::MaybeSend { async
                    move { ::doorward::__overridden!(cx, at); use ::doorward::__rt::NotKept as _; if
                    let ::core::option::Option::Some(output) = < __family::Keep < Self >> ::recall::
                    < Self, __C > (cx, at) { return ::doorward::__rt::cast(cx, output); } let output
                    : Self = '__chosen : { if ::doorward::__rt::is_present:: < (user), __C > (cx, <
                    user as ::doorward::Dependency > ::NODE:: < >) { match < user as
                    __family::Resolve < '__r, __C, User > > ::resolve(cx, at.child(0usize)). await {
                    ::core::result::Result::Ok(output) => break '__chosen Self::User(output),
                    ::core::result::Result::Err(output) => return
                    ::core::result::Result::Err(output), } } if ::doorward::__rt::is_present:: <
                    (services::key), __C > (cx, < services::key as ::doorward::Dependency > ::NODE::
                    < >) { match < services::key as __family::Resolve < '__r, __C, & 'static str > >
                    ::resolve(cx, at.child(1usize)). await { ::core::result::Result::Ok(output) =>
                    break '__chosen Self::Service(output), ::core::result::Result::Err(output) =>
                    return ::core::result::Result::Err(output), } } Self::Anonymous {} }; <
                    __family::Keep < Self >> ::remember:: < Self, __C > (cx, at, & output);
                    ::doorward::__rt::cast(cx, output) } } }
                }
                let _: fn(<user as ::doorward::Dependency>::Output) -> User = <_ as ::doorward::bounds::IsType<
                    User,
                    _,
                >>::into_type;
                (::doorward::__rt::check_named)(<user as ::doorward::Dependency>::NODE);
                (::doorward::__rt::check_scope)(<user as ::doorward::Dependency>::NODE, "items");
                (::doorward::__rt::check_alternative)(
                    <Caller as ::doorward::Dependency>::NODE,
                    0usize,
                );
                const _: () = {
                    let _ = |value: <services::key as ::doorward::Dependency>::Output| <_ as ::doorward::bounds::IsType<
                        &'static str,
                        _,
                    >>::into_type(value);
                    (::doorward::__rt::check_named)(<services::key as ::doorward::Dependency>::NODE);
                    (::doorward::__rt::check_alternative)(
                        <Caller as ::doorward::Dependency>::NODE,
                        1usize,
                    );
                };
                (::doorward::__rt::check_dependency)(<Caller as ::doorward::Dependency>::NODE);
                let _ = <Caller as ::doorward::bounds::Cached>::kept;
            };
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
            impl<'body> ::doorward::form::RequestForm<'body> for Login {
                const CONFIG: ::doorward::form::FormConfig = ::doorward::form::FormConfig::password()
                    .with_strict(true)
                    .with_max_bytes(1024);
                ::doorward::__schema! {
                    ::doorward::__rt::FormSchema::of:: < Self > (&
                    [::doorward::__rt::Standard::Username, ::doorward::__rt::Standard::Password], &
                    [("otp", { use ::doorward::__rt::AnyValue as _; < ::doorward::__rt::ValueOf <
                    Option < String > >> ::KIND }),])
                }
                #[inline(always)]
                fn from_body<Purpose: ::doorward::__rt::Purpose>(
                    __body: &'body [::core::primitive::u8],
                    __config: ::doorward::form::FormConfig,
                ) -> ::core::result::Result<Purpose::Output<Self>, ::doorward::form::FormError> {
                    ::doorward::__rt::decode::<
                        _,
                        Purpose,
                        _,
                    >(
                        __body,
                        __config,
                        const { [::doorward::__rt::OwnName::new("otp")] },
                        |__fields| {
                            let __field_0 = <String as ::doorward::form::FromText<
                                '_,
                            >>::take(__fields, ::doorward::__rt::Standard::Username);
                            let __field_1 = <Password as ::doorward::bounds::FromIntermediate<
                                '_,
                                ::std::string::String,
                                _,
                            >>::take(
                                {
                                    use ::doorward::__rt::AnyField as _;
                                    <::doorward::__rt::FieldOf<Password>>::way()
                                },
                                __fields,
                                ::doorward::__rt::Standard::Password,
                            );
                            let __field_2 = <Option<
                                String,
                            > as ::doorward::bounds::FromValue<
                                '_,
                                _,
                            >>::take(
                                {
                                    use ::doorward::__rt::FieldWay as _;
                                    (&&&&&<::doorward::__rt::CustomField<'_, Option<String>>>::NEW)
                                        .way()
                                },
                                __fields,
                                0usize,
                            );
                            ::core::option::Option::Some(Self {
                                username: __field_0?,
                                password: __field_1?,
                                otp: __field_2?,
                            })
                        },
                    )
                }
            }
            ::doorward::__to_schema! {
                [] Login, "Login", []
            }
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::doorward::form::OwnedForm for Login {}
        "##]],
    );
}

#[test]
fn form_of_another_grant() {
    let item = quote!(
        #[request_form(grant_type = "urn:example:otp")]
        struct OneTime<'a> {
            username: Cow<'a, str>,
            code: u32,
            scopes: Vec<String>,
        }
    );
    assert_expansion(
        request_form::expand(item),
        &expect![[r##"
            #[automatically_derived]
            #[allow(deprecated)]
            impl<'a> ::doorward::form::RequestForm<'a> for OneTime<'a> {
                const CONFIG: ::doorward::form::FormConfig = ::doorward::form::FormConfig::new()
                    .with_grant_type("urn:example:otp");
                ::doorward::__schema! {
                    ::doorward::__rt::FormSchema::of:: < Self > (&
                    [::doorward::__rt::Standard::Username, ::doorward::__rt::Standard::Scope], &
                    [("code", { use ::doorward::__rt::AnyValue as _; < ::doorward::__rt::ValueOf <
                    u32 >> ::KIND }),])
                }
                #[inline(always)]
                fn from_body<Purpose: ::doorward::__rt::Purpose>(
                    __body: &'a [::core::primitive::u8],
                    __config: ::doorward::form::FormConfig,
                ) -> ::core::result::Result<Purpose::Output<Self>, ::doorward::form::FormError> {
                    ::doorward::__rt::decode::<
                        _,
                        Purpose,
                        _,
                    >(
                        __body,
                        __config,
                        const { [::doorward::__rt::OwnName::new("code")] },
                        |__fields| {
                            let __field_0 = <Cow<
                                'a,
                                str,
                            > as ::doorward::form::FromText<
                                '_,
                            >>::take(__fields, ::doorward::__rt::Standard::Username);
                            let __field_1 = <u32 as ::doorward::bounds::FromValue<
                                '_,
                                _,
                            >>::take(
                                {
                                    use ::doorward::__rt::FieldWay as _;
                                    (&&&&&<::doorward::__rt::CustomField<'_, u32>>::NEW).way()
                                },
                                __fields,
                                0usize,
                            );
                            let __field_2 = <Vec<
                                String,
                            > as ::doorward::form::FromScopes<'_>>::take(__fields);
                            ::core::option::Option::Some(Self {
                                username: __field_0?,
                                code: __field_1?,
                                scopes: __field_2?,
                            })
                        },
                    )
                }
            }
            ::doorward::__to_schema! {
                [< 'a >] OneTime < 'a >, "OneTime", []
            }
        "##]],
    );
}

#[test]
fn grants() {
    let item = quote!(
        enum Grant<'a> {
            RefreshToken(RefreshTokenGrant),
            #[grant("urn:example:otp")]
            OneTime(OneTime<'a>),
        }
    );
    assert_expansion(
        grant::expand(item),
        &expect![[r##"
            #[automatically_derived]
            #[allow(deprecated)]
            impl<'a> ::doorward::form::RequestForm<'a> for Grant<'a> {
                const CONFIG: ::doorward::form::FormConfig = ::doorward::form::FormConfig::new()
                    .with_max_bytes(
                        ::doorward::__rt::longest(
                            &[
                                <RefreshTokenGrant as ::doorward::form::RequestForm<'a>>::CONFIG,
                                <OneTime<'a> as ::doorward::form::RequestForm<'a>>::CONFIG,
                            ],
                        ),
                    );
                const GRANTS: &'static [::doorward::__rt::GrantName] = &[
                    ::doorward::__rt::GrantName {
                        written: ::core::option::Option::None,
                        of_form: <RefreshTokenGrant as ::doorward::form::RequestForm<'a>>::CONFIG
                            .grant_type(),
                        is_enum: !<RefreshTokenGrant as ::doorward::form::RequestForm<'a>>::GRANTS
                            .is_empty(),
                    },
                    ::doorward::__rt::GrantName {
                        written: ::core::option::Option::Some("urn:example:otp"),
                        of_form: <OneTime<'a> as ::doorward::form::RequestForm<'a>>::CONFIG
                            .grant_type(),
                        is_enum: !<OneTime<'a> as ::doorward::form::RequestForm<'a>>::GRANTS
                            .is_empty(),
                    },
                ];
                ::doorward::__schema! {
                    ::doorward::__rt::FormSchema::one_of([(::doorward::__rt::grant_type(< Self as
                    ::doorward::form::RequestForm < 'a >> ::GRANTS, 0usize), "Grant.RefreshToken", <
                    RefreshTokenGrant as ::doorward::form::RequestForm < 'a >> ::schema()),
                    (::doorward::__rt::grant_type(< Self as ::doorward::form::RequestForm < 'a >>
                    ::GRANTS, 1usize), "Grant.OneTime", < OneTime < 'a > as
                    ::doorward::form::RequestForm < 'a >> ::schema())])
                }
                fn from_body<Purpose: ::doorward::__rt::Purpose>(
                    __body: &'a [::core::primitive::u8],
                    __config: ::doorward::form::FormConfig,
                ) -> ::core::result::Result<Purpose::Output<Self>, ::doorward::form::FormError> {
                    match ::doorward::__rt::choose(
                        __body,
                        __config.max_bytes(),
                        <Self as ::doorward::form::RequestForm<'a>>::GRANTS,
                    )? {
                        0usize => {
                            ::doorward::__rt::granted::<
                                _,
                                _,
                                Purpose,
                            >(
                                __body,
                                <RefreshTokenGrant as ::doorward::form::RequestForm<
                                    'a,
                                >>::from_body::<
                                    ::doorward::__rt::Unrecorded<Purpose>,
                                >(
                                    __body,
                                    <RefreshTokenGrant as ::doorward::form::RequestForm<'a>>::CONFIG
                                        .with_grant_type(
                                            ::doorward::__rt::grant_type(
                                                <Self as ::doorward::form::RequestForm<'a>>::GRANTS,
                                                0usize,
                                            ),
                                        )
                                        .with_strict(true),
                                ),
                                Self::RefreshToken,
                            )
                        }
                        _ => {
                            ::doorward::__rt::granted::<
                                _,
                                _,
                                Purpose,
                            >(
                                __body,
                                <OneTime<
                                    'a,
                                > as ::doorward::form::RequestForm<
                                    'a,
                                >>::from_body::<
                                    ::doorward::__rt::Unrecorded<Purpose>,
                                >(
                                    __body,
                                    <OneTime<'a> as ::doorward::form::RequestForm<'a>>::CONFIG
                                        .with_grant_type(
                                            ::doorward::__rt::grant_type(
                                                <Self as ::doorward::form::RequestForm<'a>>::GRANTS,
                                                1usize,
                                            ),
                                        )
                                        .with_strict(true),
                                ),
                                Self::OneTime,
                            )
                        }
                    }
                }
            }
            #[automatically_derived]
            #[allow(dead_code, deprecated, unreachable_pub)]
            impl<'a> Grant<'a> {
                /// Returns the grant type of the request, such as `refresh_token`.
                #[must_use]
                pub const fn grant_type(&self) -> &'static ::core::primitive::str {
                    match self {
                        Self::RefreshToken(_) => {
                            ::doorward::__rt::grant_type(
                                <Self as ::doorward::form::RequestForm<'_>>::GRANTS,
                                0usize,
                            )
                        }
                        Self::OneTime(_) => {
                            ::doorward::__rt::grant_type(
                                <Self as ::doorward::form::RequestForm<'_>>::GRANTS,
                                1usize,
                            )
                        }
                    }
                }
            }
            ::doorward::__to_schema! {
                [< 'a >] Grant < 'a >, "Grant", []
            }
            const _: () = {
                (::doorward::__rt::check_grant)(
                    <Grant<'static> as ::doorward::form::RequestForm<'static>>::GRANTS,
                    0usize,
                );
                const _: () = {
                    (::doorward::__rt::check_grant)(
                        <Grant<'static> as ::doorward::form::RequestForm<'static>>::GRANTS,
                        1usize,
                    );
                };
            };
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
        &expect![[r##"
            #[automatically_derived]
            #[allow(deprecated)]
            impl<'a> ::doorward::form::RequestForm<'a> for Login<'a> {
                const CONFIG: ::doorward::form::FormConfig = ::doorward::form::FormConfig::password()
                    .with_strict(false);
                ::doorward::__schema! {
                    ::doorward::__rt::FormSchema::of:: < Self > (&
                    [::doorward::__rt::Standard::Username, ::doorward::__rt::Standard::Password,
                    ::doorward::__rt::Standard::Scope], & [])
                }
                #[inline(always)]
                fn from_body<Purpose: ::doorward::__rt::Purpose>(
                    __body: &'a [::core::primitive::u8],
                    __config: ::doorward::form::FormConfig,
                ) -> ::core::result::Result<Purpose::Output<Self>, ::doorward::form::FormError> {
                    ::doorward::__rt::decode::<
                        _,
                        Purpose,
                        _,
                    >(
                        __body,
                        __config,
                        const { [] },
                        |__fields| {
                            let __field_0 = <Cow<
                                'a,
                                str,
                            > as ::doorward::form::FromText<
                                '_,
                            >>::take(__fields, ::doorward::__rt::Standard::Username);
                            let __field_1 = <Cow<
                                'a,
                                str,
                            > as ::doorward::form::FromText<
                                '_,
                            >>::take(__fields, ::doorward::__rt::Standard::Password);
                            let __field_2 = <Scopes<
                                'a,
                            > as ::doorward::form::FromScopes<'_>>::take(__fields);
                            ::core::option::Option::Some(Self {
                                username: __field_0?,
                                password: __field_1?,
                                scopes: __field_2?,
                            })
                        },
                    )
                }
            }
            ::doorward::__to_schema! {
                [< 'a >] Login < 'a >, "Login", []
            }
        "##]],
    );
}

#[test]
fn dependency_function() {
    let item = quote!(
        /// The user.
        pub async fn current_user(
            #[security(OAuth2, scopes("me"))] token: BearerToken,
            scopes: SecurityScopes,
            State(db): State<&Db>,
        ) -> Result<User, AuthError> {
            body
        }
    );
    assert_expansion(
        dependency::expand(quote!(cached), &item),
        &expect![[r##"
            #[allow(clippy::needless_pass_by_value)]
            /// The user.
            pub async fn current_user(
                token: BearerToken,
                scopes: SecurityScopes,
                State(db): State<&Db>,
            ) -> Result<User, AuthError> {
                body
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            pub struct current_user {}
            #[automatically_derived]
            impl ::doorward::Dependency for current_user {
                type Output = User;
                const NODE: &'static ::doorward::__rt::Node = &::doorward::__rt::Function::new(
                        "current_user",
                    )
                    .asks_scopes()
                    .extracts()
                    .fails_with::<AuthError>()
                    .yields({
                        use ::doorward::__rt::AnyOutput as _;
                        <::doorward::__rt::OutputOf<User>>::KIND
                    })
                    .node(
                        &[
                            ::doorward::__rt::Edge::new(
                                <OAuth2 as ::doorward::Dependency>::NODE,
                                &["me"],
                            ),
                        ],
                    );
            }
            ::doorward::__fails!(current_user, ::core::result::Result < (), AuthError >);
            const _: () = {
                ::doorward::__families! {
                    #[automatically_derived] impl < '__r, __C, __T > __family::Resolve < '__r, __C,
                    __T > for current_user where __T : 'static, __C : __family::Context, __C :
                    ::doorward::__rt::Reject < ::doorward::__rt::AnswerOf < Self, AuthError > >,
                    OAuth2 : __family::Resolve < '__r, __C, BearerToken >, __C : __family::Extract <
                    State < & '__r Db > >, { fn resolve(cx : & mut __C, at : < (OAuth2,) as
                    ::doorward::bounds::Named > ::Cursor,) -> impl ::core::future::Future < Output =
                    ::core::result::Result < __T, __C::Rejection >> + __family::MaybeSend {
                    __family::write_dependency_local_unless_send(async move {
                    ::doorward::__overridden!(cx, at); use ::doorward::__rt::NotKept as _; if let
                    ::core::option::Option::Some(output) = < __family::Keep < User >> ::recall:: <
                    Self, __C > (cx, at) { return ::doorward::__rt::cast(cx, output); } let
                    parameter_0 = match < OAuth2 as __family::Resolve < '__r, __C, BearerToken > >
                    ::resolve(cx, at.child(0usize)). await { ::core::result::Result::Ok(value) =>
                    value, ::core::result::Result::Err(refusal) => { return
                    ::core::result::Result::Err(refusal); } }; let parameter_1 = { let scopes :
                    SecurityScopes = (::doorward::__rt::Cursor::scopes) (at); scopes }; let
                    parameter_2 = match __family::Extract:: < State < & '__r Db > > ::extract(cx,
                    "db"). await { ::core::result::Result::Ok(value) => value,
                    ::core::result::Result::Err(refusal) => { return
                    ::core::result::Result::Err(::doorward::__rt::extractor_refused:: < Self, _ >
                    (cx, at, "db", refusal)); } }; let output : User = match
                    current_user(parameter_0, parameter_1, parameter_2). await {
                    ::core::result::Result::Ok(output) => output, ::core::result::Result::Err(error)
                    => { return ::core::result::Result::Err(::doorward::__rt::reject:: < Self, _, _ >
                    (cx, at, ::doorward::__rt::answer_of:: < Self, _ > (error))); } };
                    ::doorward::__live! { { use ::doorward::__rt::NoExpiry as _; <
                    ::doorward::__rt::ExpiryOf < User >> ::note(cx, & output); } } < __family::Keep <
                    User >> ::remember:: < Self, __C > (cx, at, & output); ::doorward::__rt::cast(cx,
                    output) }) } }
                }
                (::doorward::__rt::check_named)(<OAuth2 as ::doorward::Dependency>::NODE);
                (::doorward::__rt::check_scope)(<OAuth2 as ::doorward::Dependency>::NODE, "me");
                (::doorward::__rt::check_extractor)({
                    use ::doorward::__rt::AnyParameter as _;
                    <::doorward::__rt::ParameterOf<State<&Db>>>::KIND
                });
                let _: fn(<OAuth2 as ::doorward::Dependency>::Output) -> BearerToken = <_ as ::doorward::bounds::IsType<
                    BearerToken,
                    _,
                >>::into_type;
                let _ = <User as ::doorward::bounds::Cached>::kept;
                (::doorward::__rt::check_error)(
                    {
                        use ::doorward::__rt::AnyError as _;
                        <::doorward::__rt::ErrorOf<::core::result::Result<(), AuthError>>>::KIND
                    },
                    ::doorward::__is_response!(::core::result::Result < (), AuthError >),
                );
                (::doorward::__rt::check_dependency)(<current_user as ::doorward::Dependency>::NODE);
            };
        "##]],
    );
}

#[test]
fn secured_handler() {
    let item = quote!(
        #[get("/")]
        async fn own_items(
            State(db): State<Db>,
            #[security(active_user, scopes("items"))] mut user: User,
        ) -> Json<Vec<Item>> {
            body
        }
    );
    assert_expansion(
        secured::expand(quote!(OAuth2), &item),
        &expect![[r##"
            #[allow(clippy::too_many_arguments)]
            #[get("/")]
            async fn own_items(
                __guard_0: ::doorward::Secured<(), __secured_own_items_0>,
                State(db): State<Db>,
                user: ::doorward::Secured<User, __secured_own_items_1>,
            ) -> Json<Vec<Item>> {
                let mut user: User = <_ as ::doorward::bounds::IsType<
                    User,
                    _,
                >>::value_of(
                    user.value,
                    ::core::marker::PhantomData::<
                        <__secured_own_items_1_of as ::doorward::Dependency>::Output,
                    >,
                );
                body
            }
            ::doorward::__undocumented! {
                __path_own_items
            }
            ::doorward::__named! {
                own_items
            }
            #[allow(non_camel_case_types)]
            type __secured_own_items_0_of = OAuth2;
            #[allow(non_camel_case_types)]
            type __secured_own_items_1_of = active_user;
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_own_items_0 {}
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_own_items_1 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_own_items_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[
                    ::doorward::__rt::Edge::new(
                            <__secured_own_items_0_of as ::doorward::Dependency>::NODE,
                            &[],
                        )
                        .guard(),
                    ::doorward::__rt::Edge::new(
                        <__secured_own_items_1_of as ::doorward::Dependency>::NODE,
                        &["items"],
                    ),
                ];
                const NAME: &'static ::core::primitive::str = ::core::concat!(
                    ::core::module_path!(), "::", "own_items"
                );
            }
            const _: () = {
                ::doorward::__families! {
                    #[automatically_derived] impl < '__r, __C, __D > __family::SecuredParameter <
                    '__r, __C, () > for __secured_own_items_0 where __C : __family::Context,
                    (__secured_own_items_0_of,) : ::doorward::bounds::Named < Itself = (__D,) >,
                    ::doorward::__rt::Guard < __D > : __family::Resolve < '__r, __C, () >, { type
                    Position = ::doorward::__rt::CursorOf < __secured_own_items_0, 0usize >; type
                    Dependency = ::doorward::__rt::Guard < __D >; } #[automatically_derived] impl <
                    '__r, __C, __D > __family::SecuredParameter < '__r, __C, User > for
                    __secured_own_items_1 where __C : __family::Context, (__secured_own_items_1_of,)
                    : ::doorward::bounds::Named < Itself = (__D,) >, __D : __family::Resolve < '__r,
                    __C, User >, { type Position = ::doorward::__rt::CursorOf <
                    __secured_own_items_0, 1usize >; type Dependency = __D; }
                }
                (::doorward::__rt::check_guard)(
                    <__secured_own_items_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_own_items_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_own_items_1_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_scope)(
                    <__secured_own_items_1_of as ::doorward::Dependency>::NODE,
                    "items",
                );
                (::doorward::__rt::check_edges)(
                    <__secured_own_items_0 as ::doorward::__rt::HasPlan>::EDGES,
                );
            };
        "##]],
    );
}

#[test]
fn dependency_with_arguments() {
    let item = quote!(
        fn role(
            #[argument] least: Role,
            #[security(user)] user: User,
            #[argument(as_written)] (from, to): (&str, u8),
            #[argument(roles)] allowed: &[Role],
        ) -> Result<User, Rejection> {
            body
        }
    );
    assert_expansion(
        dependency::expand(quote!(local), &item),
        &expect![[r##"
            #[allow(clippy::needless_pass_by_value)]
            fn role(
                least: Role,
                user: User,
                (from, to): (&str, u8),
                allowed: &[Role],
            ) -> Result<User, Rejection> {
                body
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct role {}
            #[allow(dead_code)]
            impl role {
                #[doc(hidden)]
                const fn arguments(
                    least: Role,
                    argument_1: (&'static str, u8),
                    allowed: &'static [Role],
                ) -> (Role, (&'static str, u8), &'static [Role]) {
                    (least, argument_1, allowed)
                }
            }
            #[automatically_derived]
            impl ::doorward::bounds::TakesArguments for role {
                type Arguments = (Role, (&'static str, u8), &'static [Role]);
                fn texts(values: &Self::Arguments) -> ::doorward::__rt::Texts {
                    use ::doorward::__rt::AnyArgument as _;
                    ::std::vec![
                        ::doorward::__rt::ArgumentOf(& values.0).text(),
                        ::core::option::Option::None, ::doorward::__rt::ArgumentOf(& values.2).text()
                    ]
                }
                #[allow(unused_braces)]
                fn roles(values: Self::Arguments) -> ::std::vec::Vec<::std::string::String> {
                    use ::doorward::__rt::{
                        EachAsRef as _, EachDisplay as _, Nameless as _, OneAsRef as _,
                        OneDisplay as _,
                    };
                    (&&&&&::doorward::__rt::RolesOf::<&'static [Role]>::NEW).names({ values.2 })
                }
            }
            #[automatically_derived]
            impl ::doorward::Dependency for role {
                type Output = User;
                const NODE: &'static ::doorward::__rt::Node = &::doorward::__rt::Function::new(
                        "role",
                    )
                    .takes::<Self>("least, argument_1, allowed")
                    .fails_with::<Rejection>()
                    .yields({
                        use ::doorward::__rt::AnyOutput as _;
                        <::doorward::__rt::OutputOf<User>>::KIND
                    })
                    .node(
                        &[::doorward::__rt::Edge::new(<user as ::doorward::Dependency>::NODE, &[])],
                    );
            }
            const _: () = {
                ::doorward::__local_family! {
                    #[automatically_derived] impl < '__r, __C, __T > __family::Resolve < '__r, __C,
                    __T > for role where __T : 'static, __C : __family::Context, __C :
                    ::doorward::__rt::Reject < Rejection >, user : __family::Resolve < '__r, __C,
                    User >, { fn resolve(cx : & mut __C, at : < (user,) as ::doorward::bounds::Named
                    > ::Cursor,) -> impl ::core::future::Future < Output = ::core::result::Result <
                    __T, __C::Rejection >> + __family::MaybeSend {
                    __family::write_dependency_local_unless_send(async move {
                    ::doorward::__overridden!(cx, at); let parameter_1 = match < user as
                    __family::Resolve < '__r, __C, User > > ::resolve(cx, at.child(0usize)). await {
                    ::core::result::Result::Ok(value) => value, ::core::result::Result::Err(refusal)
                    => { return ::core::result::Result::Err(refusal); } }; let (parameter_0,
                    parameter_2, parameter_3,) = match ::doorward::__rt::arguments:: < Self, _ > (cx,
                    at) { ::core::result::Result::Ok(arguments) => arguments,
                    ::core::result::Result::Err(refusal) => { return
                    ::core::result::Result::Err(refusal); } }; let output : User = match
                    role(parameter_0, parameter_1, parameter_2, parameter_3) {
                    ::core::result::Result::Ok(output) => output, ::core::result::Result::Err(error)
                    => { return ::core::result::Result::Err(::doorward::__rt::reject:: < Self, _, _ >
                    (cx, at, error)); } }; ::doorward::__live! { { use ::doorward::__rt::NoExpiry as
                    _; < ::doorward::__rt::ExpiryOf < User >> ::note(cx, & output); } }
                    ::doorward::__rt::cast(cx, output) }) } }
                }
                (::doorward::__rt::check_named)(<user as ::doorward::Dependency>::NODE);
                let _: fn(<user as ::doorward::Dependency>::Output) -> User = <_ as ::doorward::bounds::IsType<
                    User,
                    _,
                >>::into_type;
                (::doorward::__rt::check_error)(
                    {
                        use ::doorward::__rt::AnyError as _;
                        <::doorward::__rt::ErrorOf<::core::result::Result<(), Rejection>>>::KIND
                    },
                    ::doorward::__is_response!(::core::result::Result < (), Rejection >),
                );
                (::doorward::__rt::check_dependency)(<role as ::doorward::Dependency>::NODE);
            };
        "##]],
    );
}

#[test]
fn arguments_where_a_dependency_is_named() {
    let expansion = plan::expand(quote!(role(Role::Admin, ("a", 2 + 1)), scopes("items")));
    assert_expansion(
        quote!(const X: Plan<role> = #expansion;),
        &expect![[r#"
            const X: Plan<role> = {
                const _: () = {
                    (::doorward::__rt::check_scope)(<role as ::doorward::Dependency>::NODE, "items");
                    (::doorward::__rt::check_edges)(
                        <__DoorwardPlan as ::doorward::__rt::HasPlan>::EDGES,
                    );
                };
                struct __DoorwardPlan;
                #[automatically_derived]
                impl ::doorward::__rt::HasPlan for __DoorwardPlan {
                    const EDGES: &'static [::doorward::__rt::Edge] = &[
                        ::doorward::__rt::Edge::new(
                                <role as ::doorward::Dependency>::NODE,
                                &["items"],
                            )
                            .with(
                                &::doorward::__rt::Arguments::new(
                                    &const {
                                        let make: fn() -> _ = || const {
                                            use ::doorward::bounds::NoArguments as _;
                                            <role>::arguments(Role::Admin, ("a", 2 + 1))
                                        };
                                        make
                                    },
                                    &["Role::Admin", "(\"a\", 2+1)"],
                                ),
                            ),
                    ];
                }
                type __DoorwardDependency = role;
                ::doorward::Plan::<
                    __DoorwardDependency,
                >::__new(
                    <::doorward::__rt::CursorOf<
                        __DoorwardPlan,
                        0,
                    > as ::doorward::__rt::PlanPosition>::CURSOR,
                )
            };
        "#]],
    );
}

#[test]
fn planned_dependency() {
    let expansion = plan::expand(quote!(current_user, scopes(READ)));
    assert_expansion(
        quote!(const X: Plan<current_user> = #expansion;),
        &expect![[r#"
            const X: Plan<current_user> = {
                const _: () = {
                    (::doorward::__rt::check_named)(<current_user as ::doorward::Dependency>::NODE);
                    (::doorward::__rt::check_scope)(
                        <current_user as ::doorward::Dependency>::NODE,
                        READ,
                    );
                    (::doorward::__rt::check_edges)(
                        <__DoorwardPlan as ::doorward::__rt::HasPlan>::EDGES,
                    );
                };
                struct __DoorwardPlan;
                #[automatically_derived]
                impl ::doorward::__rt::HasPlan for __DoorwardPlan {
                    const EDGES: &'static [::doorward::__rt::Edge] = &[
                        ::doorward::__rt::Edge::new(
                            <current_user as ::doorward::Dependency>::NODE,
                            const { &[READ] },
                        ),
                    ];
                }
                type __DoorwardDependency = current_user;
                ::doorward::Plan::<
                    __DoorwardDependency,
                >::__new(
                    <::doorward::__rt::CursorOf<
                        __DoorwardPlan,
                        0,
                    > as ::doorward::__rt::PlanPosition>::CURSOR,
                )
            };
        "#]],
    );
}

#[test]
fn under_another_name() {
    let bearer = oauth2_authorization_code_bearer::expand(
        quote!(crate = gate, authorization_url = A, token_url = T, scopes("me" = "Me.")),
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
    let function = quote!(
        fn current(
            #[security(OAuth2, scopes("me"))] token: BearerToken,
            scopes: SecurityScopes,
            id: Id,
        ) -> Result {
        }
    );
    let dependency = dependency::expand(quote!(crate = gate, cached), &function);
    let handler = secured::expand(quote!(crate = gate, OAuth2, scopes("me")), &function);
    let plan = plan::expand(quote!(crate = gate, OAuth2, scopes("me")));
    for expansion in [bearer, base, form, dependency, handler, plan] {
        assert!(!expansion.to_string().contains("doorward"), "{expansion}");
    }
}

#[test]
fn public_handler() {
    let item = quote!(
        pub async fn health(State(state): State<Db>) -> String {
            state.name
        }
    );
    assert_expansion(
        public::expand(quote!(reason = "load balancers ask it"), &item),
        &expect![[r##"
            #[allow(clippy::too_many_arguments)]
            pub async fn health(
                __public: ::doorward::__rt::PublicParameter<__secured_health_0>,
                State(state): State<Db>,
            ) -> String {
                state.name
            }
            ::doorward::__undocumented! {
                __path_health
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            pub enum __secured_health_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_health_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[];
                const REASON: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::Some(
                    "load balancers ask it",
                );
            }
        "##]],
    );
}

#[test]
fn public_handler_below_a_frameworks_attribute() {
    let item = quote!(
        #[get("/health")]
        fn health() -> &'static str {
            "ok"
        }
    );
    assert_expansion(
        public::expand(quote!(reason = REASON), &item),
        &expect![[r##"
            #[get("/health")]
            fn health() -> &'static str {
                "ok"
            }
            ::doorward::__undocumented! {
                __path_health
            }
            ::doorward::__named! {
                health
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_health_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_health_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[];
                const REASON: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::Some(
                    REASON,
                );
            }
            const _: () = {
                (::doorward::__rt::check_reason)(
                    <__secured_health_0 as ::doorward::__rt::HasPlan>::REASON,
                );
            };
        "##]],
    );
}

#[test]
fn secured_block() {
    let item = quote!(
        #[tool_router(router = notes, vis = "pub")]
        impl Notes<A> {
            #[tool]
            fn list(&self) -> String {
                self.all()
            }

            #[security(caller)]
            #[tool(name = "add note", description = "Adds one.")]
            async fn add(
                &self,
                Parameters(note): Parameters<Note>,
                #[security(Notebook, scopes("write"))] writer: Verified<Claims>,
            ) -> Result<String, String> {
                Ok(note.text)
            }

            #[cfg(test)]
            #[public(reason = "it says nothing")]
            #[tool]
            fn hello(&self) -> String {}

            fn all(&self) -> String {}
        }
    );
    let args = quote!(Notebook, scopes("read"), security_schemes);
    assert_expansion(
        within(secured::expand(args, &item)),
        &expect![[r##"
            #[tool_router(router = notes, vis = "pub")]
            impl Notes<A> {
                #[allow(clippy::too_many_arguments, clippy::unused_async)]
                #[tool(
                    meta = ::doorward::__rt::rmcp3::security_schemes::<__secured_Notes_A_list_0>(
                        ::doorward::__rt::rmcp3::rmcp::model::MetaObject::new()
                    )
                )]
                async fn list(
                    &self,
                    __head: ::doorward::rmcp3::Head,
                ) -> ::core::result::Result<String, ::doorward::__rt::rmcp3::rmcp::ErrorData> {
                    let ((),) = match __head
                        .resolve::<
                            __secured_Notes_A_list_0,
                            (::doorward::__rt::Guard<__secured_Notes_A_list_guard_0_of>,),
                            ((),),
                            _,
                        >([
                            <::doorward::__rt::CursorOf<
                                __secured_Notes_A_list_0,
                                0usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                        ])
                        .await
                    {
                        ::core::result::Result::Ok(value) => value,
                        ::core::result::Result::Err(refusal) => {
                            return ::doorward::__rt::rmcp3::refused::<_, _>(refusal);
                        }
                    };
                    ::core::result::Result::Ok(
                        async {
                            if let ::core::option::Option::Some(answer) = ::core::option::Option::None::<
                                String,
                            > {
                                return answer;
                            }
                            { self.all() }
                        }
                            .await,
                    )
                }
                #[allow(clippy::too_many_arguments, clippy::unused_async)]
                #[tool(
                    name = "add note",
                    description = "Adds one.",
                    meta = ::doorward::__rt::rmcp3::security_schemes::<__secured_Notes_A_add_0>(
                        ::doorward::__rt::rmcp3::rmcp::model::MetaObject::new()
                    )
                )]
                async fn add(
                    &self,
                    Parameters(note): Parameters<Note>,
                    __head: ::doorward::rmcp3::Head,
                ) -> Result<String, String> {
                    let ((), (), value_2) = match __head
                        .resolve::<
                            __secured_Notes_A_add_0,
                            (
                                ::doorward::__rt::Guard<__secured_Notes_A_list_guard_0_of>,
                                ::doorward::__rt::Guard<__secured_Notes_A_add_1_of>,
                                __secured_Notes_A_add_2_of,
                            ),
                            ((), (), Verified<Claims>),
                            _,
                        >([
                            <::doorward::__rt::CursorOf<
                                __secured_Notes_A_add_0,
                                0usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                            <::doorward::__rt::CursorOf<
                                __secured_Notes_A_add_0,
                                1usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                            <::doorward::__rt::CursorOf<
                                __secured_Notes_A_add_0,
                                2usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                        ])
                        .await
                    {
                        ::core::result::Result::Ok(value) => value,
                        ::core::result::Result::Err(refusal) => {
                            return ::doorward::__rt::rmcp3::refused::<_, _>(refusal);
                        }
                    };
                    let writer: Verified<Claims> = <_ as ::doorward::bounds::IsType<
                        Verified<Claims>,
                        _,
                    >>::value_of(
                        value_2,
                        ::core::marker::PhantomData::<
                            <__secured_Notes_A_add_2_of as ::doorward::Dependency>::Output,
                        >,
                    );
                    Ok(note.text)
                }
                #[cfg(test)]
                #[tool]
                fn hello(&self) -> String {}
                fn all(&self) -> String {}
                /// Returns the table of what the entry points of this block require.
                #[allow(dead_code)]
                pub fn notes_routes() -> ::doorward::routes::Routes {
                    ::doorward::__rt::rmcp3::routes(
                        ::core::module_path!(),
                        __secured_Notes_A_list_0_notes(),
                    )
                }
                #[doc(hidden)]
                #[allow(dead_code)]
                pub fn __notes_entries() -> &'static [::doorward::__rt::rmcp3::Entry] {
                    __secured_Notes_A_list_0_notes()
                }
            }
            #[allow(non_snake_case)]
            fn __secured_Notes_A_list_0_notes() -> &'static [::doorward::__rt::rmcp3::Entry] {
                const {
                    &[
                        ::doorward::__rt::rmcp3::Entry::new::<
                            __secured_Notes_A_list_0,
                        >("TOOL", "list", "Notes<A>::list"),
                        ::doorward::__rt::rmcp3::Entry::new::<
                            __secured_Notes_A_add_0,
                        >("TOOL", "add note", "Notes<A>::add"),
                        #[cfg(test)]
                        ::doorward::__rt::rmcp3::Entry::new::<
                            __secured_Notes_A_hello_0,
                        >("TOOL", "hello", "Notes<A>::hello"),
                    ]
                }
            }
            #[allow(non_camel_case_types)]
            type __secured_Notes_A_list_guard_0_of = Notebook;
            const _: () = {
                (::doorward::__rt::check_guard)(
                    <__secured_Notes_A_list_guard_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_Notes_A_list_guard_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_scope)(
                    <__secured_Notes_A_list_guard_0_of as ::doorward::Dependency>::NODE,
                    "read",
                );
            };
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_Notes_A_list_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_Notes_A_list_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[
                    ::doorward::__rt::Edge::new(
                            <__secured_Notes_A_list_guard_0_of as ::doorward::Dependency>::NODE,
                            &["read"],
                        )
                        .guard(),
                ];
                const NAME: &'static ::core::primitive::str = "list";
            }
            const _: () = {
                (::doorward::__rt::check_edges)(
                    <__secured_Notes_A_list_0 as ::doorward::__rt::HasPlan>::EDGES,
                );
            };
            #[allow(non_camel_case_types)]
            type __secured_Notes_A_add_1_of = caller;
            #[allow(non_camel_case_types)]
            type __secured_Notes_A_add_2_of = Notebook;
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_Notes_A_add_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_Notes_A_add_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[
                    ::doorward::__rt::Edge::new(
                            <__secured_Notes_A_list_guard_0_of as ::doorward::Dependency>::NODE,
                            &["read"],
                        )
                        .guard(),
                    ::doorward::__rt::Edge::new(
                            <__secured_Notes_A_add_1_of as ::doorward::Dependency>::NODE,
                            &[],
                        )
                        .guard(),
                    ::doorward::__rt::Edge::new(
                        <__secured_Notes_A_add_2_of as ::doorward::Dependency>::NODE,
                        &["write"],
                    ),
                ];
                const NAME: &'static ::core::primitive::str = "add note";
            }
            const _: () = {
                (::doorward::__rt::check_guard)(
                    <__secured_Notes_A_add_1_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_Notes_A_add_1_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_Notes_A_add_2_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_scope)(
                    <__secured_Notes_A_add_2_of as ::doorward::Dependency>::NODE,
                    "write",
                );
                (::doorward::__rt::check_edges)(
                    <__secured_Notes_A_add_0 as ::doorward::__rt::HasPlan>::EDGES,
                );
            };
            #[cfg(test)]
            ::doorward::__rmcp3! {
                #[doc(hidden)] #[allow(non_camel_case_types, unreachable_pub)] enum
                __secured_Notes_A_hello_0 {} #[automatically_derived] impl ::doorward::__rt::HasPlan
                for __secured_Notes_A_hello_0 { const EDGES : & 'static [::doorward::__rt::Edge] = &
                []; const REASON : ::core::option::Option < & 'static ::core::primitive::str > =
                ::core::option::Option::Some("it says nothing"); }
            }
        "##]],
    );
}

/// The methods of a service of gRPC, one of which asks its requirement again.
#[test]
fn secured_service_of_grpc() {
    let item = quote!(
        #[tonic::async_trait]
        impl SbomStore for Service {
            type WatchStream = Updates;

            #[security(user)]
            async fn watch(
                &self,
                request: Request<Name>,
                live: Live,
                #[security(Api, scopes("read"))] caller: Caller,
            ) -> Result<Response<Self::WatchStream>, Status> {
                Ok(request)
            }

            #[public(reason = "it says nothing")]
            async fn r#try(&self, _: Request<()>) -> Result<Response<()>, Status> {
                Ok(())
            }
        }
    );
    assert_expansion(
        within(secured::expand(quote!(), &item)),
        &expect![[r##"
            #[tonic::async_trait]
            impl SbomStore for Service {
                type WatchStream = Updates;
                #[allow(clippy::too_many_arguments, clippy::unused_async)]
                async fn watch(
                    &self,
                    __context: Request<Name>,
                ) -> Result<Response<Self::WatchStream>, Status> {
                    let __head = ::doorward::tonic014::Head::of(&__context);
                    let request: Request<Name> = __context;
                    let (live_0, (), value_1) = match __head
                        .resolve::<
                            __secured_SbomStore_Service_watch_0,
                            (
                                ::doorward::__rt::AskedAgain<
                                    (
                                        __secured_SbomStore_Service_watch_0_of,
                                        ::doorward::__rt::CursorOf<
                                            __secured_SbomStore_Service_watch_0,
                                            0usize,
                                        >,
                                        (
                                            __secured_SbomStore_Service_watch_1_of,
                                            ::doorward::__rt::CursorOf<
                                                __secured_SbomStore_Service_watch_0,
                                                1usize,
                                            >,
                                            (),
                                        ),
                                    ),
                                >,
                                ::doorward::__rt::Guard<__secured_SbomStore_Service_watch_0_of>,
                                __secured_SbomStore_Service_watch_1_of,
                            ),
                            (Live, (), Caller),
                            _,
                        >([
                            <::doorward::__rt::AskedAgain<
                                (
                                    __secured_SbomStore_Service_watch_0_of,
                                    ::doorward::__rt::CursorOf<
                                        __secured_SbomStore_Service_watch_0,
                                        0usize,
                                    >,
                                    (
                                        __secured_SbomStore_Service_watch_1_of,
                                        ::doorward::__rt::CursorOf<
                                            __secured_SbomStore_Service_watch_0,
                                            1usize,
                                        >,
                                        (),
                                    ),
                                ),
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                            <::doorward::__rt::CursorOf<
                                __secured_SbomStore_Service_watch_0,
                                0usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                            <::doorward::__rt::CursorOf<
                                __secured_SbomStore_Service_watch_0,
                                1usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                        ])
                        .await
                    {
                        ::core::result::Result::Ok(value) => value,
                        ::core::result::Result::Err(refusal) => {
                            return ::doorward::__rt::tonic014::refused::<_, _>(refusal);
                        }
                    };
                    let live: Live = live_0;
                    let caller: Caller = <_ as ::doorward::bounds::IsType<
                        Caller,
                        _,
                    >>::value_of(
                        value_1,
                        ::core::marker::PhantomData::<
                            <__secured_SbomStore_Service_watch_1_of as ::doorward::Dependency>::Output,
                        >,
                    );
                    Ok(request)
                }
                async fn r#try(&self, _: Request<()>) -> Result<Response<()>, Status> {
                    ::doorward::__rt::tonic014::met();
                    Ok(())
                }
            }
            #[automatically_derived]
            impl Service {
                /// Returns the table of what the entry points of this block require.
                #[allow(dead_code)]
                pub(crate) fn sbom_store_routes(service: &str) -> ::doorward::routes::Routes {
                    ::doorward::__rt::tonic014::routes(
                        service,
                        ::core::module_path!(),
                        __secured_SbomStore_Service_watch_0_sbom_store(),
                    )
                }
                #[doc(hidden)]
                #[allow(dead_code)]
                pub(crate) fn __sbom_store_entries() -> &'static [::doorward::__rt::tonic014::Entry] {
                    __secured_SbomStore_Service_watch_0_sbom_store()
                }
            }
            #[allow(non_snake_case)]
            fn __secured_SbomStore_Service_watch_0_sbom_store() -> &'static [::doorward::__rt::tonic014::Entry] {
                const {
                    &[
                        ::doorward::__rt::tonic014::Entry::new::<
                            __secured_SbomStore_Service_watch_0,
                        >("RPC", "Watch", "Service::watch"),
                        ::doorward::__rt::tonic014::Entry::new::<
                            __secured_SbomStore_Service_try_0,
                        >("RPC", "Try", "Service::r#try"),
                    ]
                }
            }
            #[allow(non_camel_case_types)]
            type __secured_SbomStore_Service_watch_0_of = user;
            #[allow(non_camel_case_types)]
            type __secured_SbomStore_Service_watch_1_of = Api;
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_SbomStore_Service_watch_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_SbomStore_Service_watch_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[
                    ::doorward::__rt::Edge::new(
                            <__secured_SbomStore_Service_watch_0_of as ::doorward::Dependency>::NODE,
                            &[],
                        )
                        .guard(),
                    ::doorward::__rt::Edge::new(
                        <__secured_SbomStore_Service_watch_1_of as ::doorward::Dependency>::NODE,
                        &["read"],
                    ),
                ];
                const NAME: &'static ::core::primitive::str = "Watch";
            }
            const _: () = {
                (::doorward::__rt::check_guard)(
                    <__secured_SbomStore_Service_watch_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_SbomStore_Service_watch_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_SbomStore_Service_watch_1_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_scope)(
                    <__secured_SbomStore_Service_watch_1_of as ::doorward::Dependency>::NODE,
                    "read",
                );
                (::doorward::__rt::check_edges)(
                    <__secured_SbomStore_Service_watch_0 as ::doorward::__rt::HasPlan>::EDGES,
                );
            };
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_SbomStore_Service_try_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_SbomStore_Service_try_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[];
                const REASON: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::Some(
                    "it says nothing",
                );
            }
        "##]],
    );
}

/// The methods of a trait, which has its table in a block of its own.
#[test]
fn secured_handler_of_a_server() {
    let item = quote!(
        #[tool_handler(router = self.tools)]
        impl ServerHandler for Notes {
            #[security(Notebook, scopes("read"))]
            async fn read_resource(
                &self,
                request: ReadResourceRequestParams,
                _: RequestContext<RoleServer>,
            ) -> Result<ReadResourceResponse, ErrorData> {
                Err(request)
            }
        }
    );
    assert_expansion(
        within(secured::expand(quote!(list = granted), &item)),
        &expect![[r##"
            #[tool_handler(router = self.tools)]
            impl ServerHandler for Notes {
                #[allow(clippy::too_many_arguments, clippy::unused_async)]
                async fn read_resource(
                    &self,
                    request: ReadResourceRequestParams,
                    __context: RequestContext<RoleServer>,
                ) -> Result<ReadResourceResponse, ErrorData> {
                    let __head = ::doorward::rmcp3::Head::of(&__context);
                    let _: RequestContext<RoleServer> = __context;
                    let ((),) = match __head
                        .resolve::<
                            __secured_ServerHandler_Notes_read_resource_0,
                            (
                                ::doorward::__rt::Guard<
                                    __secured_ServerHandler_Notes_read_resource_0_of,
                                >,
                            ),
                            ((),),
                            _,
                        >([
                            <::doorward::__rt::CursorOf<
                                __secured_ServerHandler_Notes_read_resource_0,
                                0usize,
                            > as ::doorward::__rt::PlanPosition>::CURSOR,
                        ])
                        .await
                    {
                        ::core::result::Result::Ok(value) => value,
                        ::core::result::Result::Err(refusal) => {
                            return ::doorward::__rt::rmcp3::refused::<_, _>(refusal);
                        }
                    };
                    Err(request)
                }
                async fn list_tools(
                    &self,
                    _request: ::core::option::Option<
                        ::doorward::__rt::rmcp3::rmcp::model::PaginatedRequestParams,
                    >,
                    context: ::doorward::__rt::rmcp3::rmcp::service::RequestContext<
                        ::doorward::__rt::rmcp3::rmcp::RoleServer,
                    >,
                ) -> ::core::result::Result<
                    ::doorward::__rt::rmcp3::rmcp::model::ListToolsResult,
                    ::doorward::__rt::rmcp3::rmcp::ErrorData,
                > {
                    let tables = [Self::__tool_router_entries()];
                    let tools = self.tools.list_all();
                    ::core::result::Result::Ok(
                        ::doorward::__rt::rmcp3::list_granted(
                            tools,
                            &tables,
                            ::core::option::Option::None,
                            &context,
                        ),
                    )
                }
            }
            #[automatically_derived]
            impl Notes {
                /// Returns the table of what the entry points of this block require.
                #[allow(dead_code)]
                pub(crate) fn handler_routes() -> ::doorward::routes::Routes {
                    ::doorward::__rt::rmcp3::routes(
                        ::core::module_path!(),
                        __secured_ServerHandler_Notes_read_resource_0_handler(),
                    )
                }
                #[doc(hidden)]
                #[allow(dead_code)]
                pub(crate) fn __handler_entries() -> &'static [::doorward::__rt::rmcp3::Entry] {
                    __secured_ServerHandler_Notes_read_resource_0_handler()
                }
            }
            #[allow(non_snake_case)]
            fn __secured_ServerHandler_Notes_read_resource_0_handler() -> &'static [::doorward::__rt::rmcp3::Entry] {
                const {
                    &[
                        ::doorward::__rt::rmcp3::Entry::new::<
                            __secured_ServerHandler_Notes_read_resource_0,
                        >("RESOURCE", "read_resource", "Notes::read_resource"),
                    ]
                }
            }
            #[allow(non_camel_case_types)]
            type __secured_ServerHandler_Notes_read_resource_0_of = Notebook;
            #[doc(hidden)]
            #[allow(non_camel_case_types, unreachable_pub)]
            enum __secured_ServerHandler_Notes_read_resource_0 {}
            #[automatically_derived]
            impl ::doorward::__rt::HasPlan for __secured_ServerHandler_Notes_read_resource_0 {
                const EDGES: &'static [::doorward::__rt::Edge] = &[
                    ::doorward::__rt::Edge::new(
                            <__secured_ServerHandler_Notes_read_resource_0_of as ::doorward::Dependency>::NODE,
                            &["read"],
                        )
                        .guard(),
                ];
                const NAME: &'static ::core::primitive::str = "read_resource";
            }
            const _: () = {
                (::doorward::__rt::check_guard)(
                    <__secured_ServerHandler_Notes_read_resource_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_named)(
                    <__secured_ServerHandler_Notes_read_resource_0_of as ::doorward::Dependency>::NODE,
                );
                (::doorward::__rt::check_scope)(
                    <__secured_ServerHandler_Notes_read_resource_0_of as ::doorward::Dependency>::NODE,
                    "read",
                );
                (::doorward::__rt::check_handler_extractor)({
                    use ::doorward::__rt::AnyParameter as _;
                    <::doorward::__rt::ParameterOf<ReadResourceRequestParams>>::KIND
                });
                (::doorward::__rt::check_edges)(
                    <__secured_ServerHandler_Notes_read_resource_0 as ::doorward::__rt::HasPlan>::EDGES,
                );
            };
        "##]],
    );
}

/// Returns the items in the call of a macro.
fn within(call: TokenStream) -> TokenStream {
    let group = call.into_iter().find_map(|token| match token {
        proc_macro2::TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    group.unwrap()
}
