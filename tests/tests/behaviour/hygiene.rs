//! The macros work wherever they are used: without a prelude, next to names that shadow it, in a
//! module, in a function, in a `macro_rules!` macro, with raw identifiers, and with the crate under
//! another name.

#![no_implicit_prelude]
#![deny(
    warnings,
    missing_docs,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused_lifetimes,
    unused_qualifications,
    clippy::all,
    clippy::pedantic
)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "these are the user's own functions"
)]

use ::core::assert_eq;
use ::core::prelude::v1::{derive, test};
use ::doorward::form::RequestForm;
use ::doorward::{
    BearerToken, PasswordRequestForm, Scheme, SecurityScopes, dependency, oauth2,
    oauth2_authorization_code_bearer, oauth2_password_bearer, plan, secured, security_scopes,
};
use ::std::string::String;

use crate::asking::{block_on, head};

#[allow(dead_code)]
mod core {}
#[allow(dead_code)]
mod std {}
#[allow(dead_code)]
mod doorward {}
#[allow(dead_code)]
struct Option;
#[allow(dead_code)]
struct Result;
#[allow(dead_code, non_camel_case_types)]
struct str;
#[allow(dead_code, non_camel_case_types)]
struct u8;

mod in_a_module {
    use ::doorward::form::RequestedScopes;
    use ::doorward::{
        PasswordRequestForm, oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer,
    };
    use ::std::borrow::Cow;

    #[oauth2(flows(password(token_url = "token", scopes("me" = "Me."))), auto_error = false)]
    pub(super) struct Base;

    #[oauth2_password_bearer(token_url = "token", strict, auto_error = true)]
    pub(super) struct Password;

    #[oauth2_authorization_code_bearer(
        authorization_url = "authorize",
        token_url = "token",
        auto_error = false
    )]
    pub(super) struct Code;

    #[derive(PasswordRequestForm)]
    pub(super) struct Login<'body> {
        pub(super) username: Cow<'body, ::core::primitive::str>,
        pub(super) password: ::std::string::String,
        pub(super) scopes: RequestedScopes<'body>,
        pub(super) otp: ::core::option::Option<::core::primitive::u8>,
    }
}

#[test]
fn in_a_module() {
    assert_eq!(in_a_module::Base::CONFIG.scheme_name(), "Base");
    assert_eq!(in_a_module::Password::CONFIG.scheme_name(), "Password");
    assert_eq!(in_a_module::Code::CONFIG.scheme_name(), "Code");
    let form = in_a_module::Login::decode(b"username=u&password=p&scope=me&otp=7").unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", "p"));
    assert_eq!((form.scopes.contains("me"), form.otp), (true, ::core::option::Option::Some(7)));
}

#[test]
fn in_a_function() {
    #[oauth2_password_bearer(token_url = "token")]
    struct Password;

    #[derive(PasswordRequestForm)]
    struct Login {
        username: String,
        password: String,
    }

    assert_eq!(Password::CONFIG.scheme_name(), "Password");
    let form = Login::decode(b"username=u&password=p").unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", "p"));
}

macro_rules! declare {
    ($scheme:ident, $form:ident, $url:literal, $scope:literal = $description:expr, $limit:expr, $field:ident: $ty:ty) => {
        #[oauth2_password_bearer(token_url = $url, scopes($scope = $description), description = $description)]
        struct $scheme;

        #[derive(PasswordRequestForm)]
        #[password_form(max_bytes = $limit)]
        struct $form {
            username: $ty,
            password: $ty,
            $field: $ty,
        }
    };
}

declare!(Declared, DeclaredForm, "token", "me" = "Read me.", 64, tenant: String);

#[test]
fn in_a_macro() {
    let flow = ::core::option::Option::unwrap(Declared::CONFIG.flows().password());
    let token_url = ::core::option::Option::Some(::doorward::scheme::TextOrSetting::Text("token"));
    assert_eq!(flow.token_url(), token_url);
    assert_eq!((flow.scopes()[0].name, flow.scopes()[0].description), ("me", "Read me."));
    assert_eq!(<DeclaredForm as RequestForm>::CONFIG.max_bytes(), 64);
    let form = DeclaredForm::decode(b"username=u&password=p&tenant=t").unwrap();
    assert_eq!((&*form.username, &*form.password, &*form.tenant), ("u", "p", "t"));
}

#[allow(non_camel_case_types)]
#[oauth2]
struct r#type;

#[derive(PasswordRequestForm)]
struct Raw {
    r#username: String,
    password: String,
    r#type: String,
    /// Generated code could use these names itself.
    fields: String,
    body: String,
}

#[test]
fn with_raw_identifiers() {
    assert_eq!(r#type::CONFIG.scheme_name(), "type");
    let form = Raw::decode(b"username=u&password=p&type=t&fields=f&body=b").unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", "p"));
    assert_eq!((&*form.r#type, &*form.fields, &*form.body), ("t", "f", "b"));
}

mod under_another_name {
    /// The crate, re-exported as another crate may do it.
    pub(super) mod inner {
        pub(crate) use ::doorward as gate;
    }

    #[inner::gate::oauth2(crate = self::inner::gate)]
    pub(super) struct Base;

    #[inner::gate::oauth2_password_bearer(crate = inner::gate, token_url = "token")]
    pub(super) struct Password;

    #[inner::gate::oauth2_authorization_code_bearer(
        crate = crate::hygiene::under_another_name::inner::gate,
        authorization_url = "authorize",
        token_url = URL
    )]
    pub(super) struct Code;

    const URL: &::core::primitive::str = "token";
    const LIMIT: usize = 64;

    #[derive(inner::gate::PasswordRequestForm)]
    #[password_form(crate = inner::gate, max_bytes = LIMIT)]
    pub(super) struct Login {
        pub(super) username: ::std::string::String,
        pub(super) password: ::std::string::String,
    }
}

#[test]
fn under_another_name() {
    assert_eq!(under_another_name::Base::CONFIG.scheme_name(), "Base");
    assert_eq!(under_another_name::Password::CONFIG.scheme_name(), "Password");
    assert_eq!(under_another_name::Code::CONFIG.scheme_name(), "Code");
    let form = under_another_name::Login::decode(b"username=u&password=p").unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", "p"));
}

/// An associated constant of the form does not clash with the one that is derived.
#[derive(PasswordRequestForm)]
struct Own {
    username: String,
    password: String,
}

impl Own {
    const CONFIG: &'static ::core::primitive::str = "own";
}

#[test]
fn beside_a_constant_of_the_same_name() {
    let form = Own::decode(b"username=u&password=p").unwrap();
    assert_eq!((&*form.username, &*form.password, Own::CONFIG), ("u", "p", "own"));
}

#[oauth2_authorization_code_bearer(authorization_url = "authorize", token_url = "token", scopes("x" = "X."))]
struct Code;

#[test]
fn at_the_top() {
    assert_eq!(Code::CONFIG.scheme_name(), "Code");
}

#[dependency]
async fn r#match(
    #[security(Code)] token: BearerToken,
    scopes: ::doorward::SecurityScopes,
    method: ::http::Method,
) -> ::core::result::Result<(String, SecurityScopes), ::doorward::Rejection> {
    // Generated code could use these names itself.
    let (cx, at, output) = (token, scopes, method);
    if output == ::http::Method::GET {
        ::core::result::Result::Ok((::std::borrow::ToOwned::to_owned(cx.as_str()), at))
    } else {
        ::core::result::Result::Err(::doorward::Rejection::NOT_AUTHENTICATED)
    }
}

macro_rules! declare_functions {
    ($dependency:ident, $handler:ident, $below:path, $scope:literal, $ty:ty, $body:expr) => {
        #[dependency(cached)]
        fn $dependency(#[security($below, scopes($scope))] value: $ty) -> $ty {
            value
        }

        #[secured]
        async fn $handler(#[security($dependency)] value: $ty) -> $ty {
            let _ = $body;
            value
        }
    };
}

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Me."))]
struct Scoped;

#[dependency(unverified)]
fn scoped(
    #[security(Scoped)] token: BearerToken,
    scopes: SecurityScopes,
) -> (String, SecurityScopes) {
    (::std::borrow::ToOwned::to_owned(token.as_str()), scopes)
}

declare_functions!(declared, handle_declared, scoped, "me", (String, SecurityScopes), 1);

#[test]
fn functions_in_a_macro_and_with_raw_names() {
    #[secured(declared)]
    async fn in_a_function(#[security(r#match)] r#loop: (String, SecurityScopes)) -> String {
        r#loop.0
    }

    let value: (String, SecurityScopes) =
        (::std::borrow::ToOwned::to_owned("u"), security_scopes!["me"]);
    let answer =
        block_on(handle_declared(::core::convert::Into::into(::core::clone::Clone::clone(&value))));
    assert_eq!(answer, value);
    let guard = ::core::convert::Into::into(());
    assert_eq!(block_on(in_a_function(guard, ::core::convert::Into::into(value))), "u");

    let mut head = head(&[("authorization", "Bearer u")]);
    let found = block_on(plan!(r#match, scopes("x")).resolve(&mut head));
    assert_eq!(found.unwrap().0, "u");
}

/// Generated code could use these names itself.
#[dependency]
fn r#where(
    #[argument] at: &::core::primitive::str,
    #[security(scoped)] output: (String, SecurityScopes),
    #[argument] r#in: ::core::primitive::u8,
    #[argument] (cx, arguments): (::core::primitive::u8, ::core::option::Option<()>),
) -> ::core::result::Result<String, ::doorward::Rejection> {
    let _ = (output, arguments);
    ::core::result::Result::Ok(::std::format!("{at}{}", r#in + cx))
}

macro_rules! declare_with_arguments {
    ($dependency:ident, $handler:ident, $below:ident($($argument:expr),*), $name:ident: $ty:ty) => {
        #[dependency]
        fn $dependency(
            #[argument] $name: $ty,
            #[security($below($($argument),*))] value: String,
        ) -> String {
            ::std::format!("{value}{}", $name)
        }

        #[secured($dependency(7))]
        async fn $handler(#[security($dependency(1 + 1))] value: String) -> String {
            value
        }
    };
}

mod with_arguments {
    use ::doorward::{dependency, secured};
    use ::std::string::String;

    use super::r#where;

    const ONE: ::core::primitive::u8 = 1;

    declare_with_arguments!(
        below,
        handle,
        r#where("a", ONE, (2, ::core::option::Option::None)),
        number: ::core::primitive::u8
    );

    pub(super) async fn planned(head: &mut ::http::request::Parts) -> String {
        let found = ::doorward::plan!(below(ONE + 3)).resolve(head).await;
        found.unwrap()
    }

    pub(super) fn handled() -> impl ::core::future::Future<Output = String> {
        let guard = ::core::convert::Into::into(());
        let value: String = ::std::borrow::ToOwned::to_owned("value");
        handle(guard, ::core::convert::Into::into(value))
    }
}

#[test]
fn with_arguments() {
    assert_eq!(block_on(with_arguments::handled()), "value");
    let mut head = head(&[("authorization", "Bearer u")]);
    assert_eq!(block_on(with_arguments::planned(&mut head)), "a34");
}

/// A type that more can name than its dependency.
pub(crate) struct Extracted(String);

#[dependency(extract)]
fn extracted(#[security(scoped)] value: (String, SecurityScopes)) -> Extracted {
    Extracted(value.0)
}

macro_rules! declare_extracted {
    ($dependency:ident, $ty:ident, $below:path) => {
        struct $ty(String);

        #[dependency(extract)]
        fn $dependency(
            #[security($below)] value: Extracted,
        ) -> ::core::result::Result<$ty, ::doorward::Rejection> {
            ::core::result::Result::Ok($ty(value.0))
        }
    };
}

declare_extracted!(declared_extracted, DeclaredExtracted, extracted);

#[test]
fn with_values_that_are_extractors() {
    use ::axum::extract::FromRequestParts;

    let mut head = head(&[("authorization", "Bearer u")]);
    let found = block_on(DeclaredExtracted::from_request_parts(&mut head, &()));
    assert_eq!(found.unwrap().0, "u");
}

mod with_alternatives {
    use super::under_another_name::inner;
    use ::doorward::{
        ApiKey, BasicCredentials, BearerToken, HttpCredentials, Rejection, api_key, dependency,
        http, http_basic, http_bearer, http_digest, oauth2_bearer, one_of, open_id_connect,
        secured,
    };
    use ::std::string::String;

    const URL: &::core::primitive::str = "/.well-known/openid-configuration";

    #[open_id_connect(url = URL, scopes("me" as ME = "Me."))]
    struct Login;

    #[oauth2_bearer(flows(password(token_url = "token")), scopes("me" = "Me."), auto_error = false)]
    struct OAuth2;

    #[http_bearer(format = "JWT", strict)]
    struct Token;

    #[http_basic(realm = "admin")]
    struct Basic;

    #[http_digest(auto_error = false)]
    struct Digest;

    #[http(scheme = "Negotiate")]
    struct Negotiate;

    #[inner::gate::api_key(crate = inner::gate, cookie = "session", cross_site)]
    struct Session;

    #[api_key(query = "key")]
    struct Key;

    #[dependency]
    fn user(
        #[security(Login, scopes())] token: BearerToken,
        scopes: ::doorward::SecurityScopes,
        #[security(OAuth2)] _same: ::core::option::Option<BearerToken>,
        #[security(Digest)] _digest: ::core::option::Option<HttpCredentials>,
    ) -> ::core::result::Result<String, Rejection> {
        let _ = (scopes, Login::ME);
        ::core::result::Result::Ok(::std::borrow::ToOwned::to_owned(token.as_str()))
    }

    #[dependency]
    fn service(#[security(Session)] _key: ApiKey) -> ::core::result::Result<(), Rejection> {
        ::core::result::Result::Ok(())
    }

    /// Someone.
    #[one_of(cached)]
    #[derive(Clone)]
    #[allow(dead_code, non_camel_case_types)]
    pub(super) enum r#Caller {
        #[security(user, fresh)]
        r#match(String),
        #[security(service, unscoped)]
        Service(()),
        /// Nobody.
        None,
    }

    macro_rules! declare {
        ($name:ident, $variant:ident, $dependency:path, $ty:ty) => {
            #[inner::gate::one_of(crate = inner::gate)]
            #[allow(dead_code)]
            pub(super) enum $name {
                #[security($dependency)]
                $variant($ty),
                #[security(Basic)]
                Ok(BasicCredentials),
                #[security(self::Negotiate)]
                Err(HttpCredentials),
                Some(),
            }
        };
    }

    declare!(Declared, Token, Token, BearerToken);

    #[one_of(local)]
    #[allow(dead_code)]
    pub(super) enum Outer {
        #[security(Key)]
        Key(ApiKey),
    }

    #[secured]
    pub(super) async fn handler(
        #[security(Caller, scopes("me"))] caller: Caller,
        #[security(Declared)] declared: Declared,
    ) -> bool {
        ::core::matches!((caller, declared), (Caller::None, Declared::Some()))
    }

    #[secured]
    pub(super) async fn unused(#[security(Caller)] _caller: Caller) {}
}

#[test]
fn with_alternatives() {
    use self::with_alternatives::{Caller, Declared, Outer, handler, unused};

    let _ = plan!(Outer);
    let answer = handler(
        ::core::convert::Into::into(Caller::None),
        ::core::convert::Into::into(Declared::Some()),
    );
    ::core::assert!(block_on(answer));
    block_on(unused(::core::convert::Into::into(Caller::None)));
}

/// Forms of grants, with names that generated code could use itself.
mod with_grants {
    use super::under_another_name::inner;
    use ::doorward::Grant;
    use ::doorward::form::RequestForm;
    use ::doorward::token_endpoint::RefreshTokenGrant;
    use ::std::string::String;

    pub(super) const LIMIT: ::core::primitive::usize = 99;

    #[derive(RequestForm)]
    #[request_form(grant_type = "urn:example:raw", max_bytes = LIMIT)]
    pub(super) struct r#Raw<'body> {
        pub(super) r#type: ::std::borrow::Cow<'body, ::core::primitive::str>,
        pub(super) config: ::core::option::Option<::core::primitive::u8>,
        pub(super) body: ::std::vec::Vec<String>,
        pub(super) fields: ::std::vec::Vec<::core::primitive::u8>,
        pub(super) client: ::doorward::secrecy::SecretString,
        pub(super) r#scopes: ::doorward::form::RequestedScopes<'body>,
    }

    #[derive(inner::gate::RequestForm)]
    #[request_form(crate = inner::gate)]
    pub(super) struct Renamed {
        pub(super) client_id: String,
    }

    macro_rules! declare {
        ($name:ident, $variant:ident, $form:ty, $grant_type:literal, $field:ident: $ty:ty) => {
            #[derive(RequestForm)]
            #[request_form(grant_type = $grant_type)]
            pub(super) struct $variant {
                pub(super) $field: $ty,
            }

            #[derive(inner::gate::Grant)]
            #[grant(crate = inner::gate)]
            #[allow(non_camel_case_types)]
            pub(super) enum $name<'body> {
                $variant($variant),
                r#match($form),
                #[grant("urn:example:ok")]
                Ok(Renamed),
                #[grant("urn:example:err")]
                Err(Renamed),
                Some(RefreshTokenGrant),
            }
        };
    }

    declare!(Declared, Declare, Raw<'body>, "urn:example:declared", tenant: String);

    #[derive(Grant)]
    pub(super) enum r#Only {
        #[grant("urn:example:none")]
        None(Renamed),
    }
}

#[test]
fn with_grants() {
    use self::with_grants::{Declared, LIMIT, Only, Raw};

    assert_eq!(<Raw<'_> as RequestForm>::CONFIG.max_bytes(), LIMIT);
    let raw = b"grant_type=urn:example:raw&type=t&config=7&body=a&body=b&fields=1&client=c&scope=x";
    let ::core::result::Result::Ok(Declared::r#match(form)) = Declared::decode(raw) else {
        ::core::panic!("another grant");
    };
    assert_eq!((&*form.r#type, form.config), ("t", ::core::option::Option::Some(7)));
    assert_eq!((form.body.len(), &form.fields[..]), (2, &[1][..]));
    let client = ::doorward::secrecy::ExposeSecret::expose_secret(&form.client);
    assert_eq!((client, form.scopes.contains("x")), ("c", true));

    let named = |body: &'static [::core::primitive::u8]| match Declared::decode(body) {
        ::core::result::Result::Ok(Declared::Declare(form)) => form.tenant,
        ::core::result::Result::Ok(Declared::Ok(form) | Declared::Err(form)) => form.client_id,
        ::core::result::Result::Ok(Declared::Some(form)) => form.scopes.concat(),
        _ => String::new(),
    };
    assert_eq!(named(b"grant_type=urn:example:declared&tenant=t"), "t");
    assert_eq!(named(b"grant_type=urn:example:ok&client_id=a"), "a");
    assert_eq!(named(b"grant_type=urn:example:err&client_id=b"), "b");
    assert_eq!(named(b"grant_type=refresh_token&refresh_token=r&scope=s"), "s");
    let only = Only::decode(b"grant_type=urn:example:none&client_id=web");
    let Only::None(form) = only.unwrap();
    assert_eq!(form.client_id, "web");
}

/// Names and lints of the user's that the expansion must not meet.
#[deny(rust_2018_idioms)]
mod grants_in_a_module {
    use ::doorward::Grant;
    use ::doorward::form::RequestForm;
    use ::doorward::token_endpoint::RefreshTokenGrant;
    use ::std::borrow::Cow;

    #[derive(RequestForm)]
    #[request_form(grant_type = "urn:example:otp", max_bytes = LONGEST)]
    pub(super) struct OneTime<'a> {
        pub(super) code: Cow<'a, str>,
    }

    pub(super) const LONGEST: usize = 64;

    #[derive(Grant)]
    pub(super) enum Grant<'a> {
        Refresh(#[expect(dead_code)] RefreshTokenGrant),
        OneTime(OneTime<'a>),
    }

    impl Grant<'_> {
        pub(super) const GRANTS: usize = 2;
    }

    /// Values with the names of the expansion's variables.
    #[expect(non_camel_case_types, dead_code)]
    mod values {
        pub(super) struct body;
        pub(super) struct config;
        pub(super) struct fields;
        pub(super) struct field_0;
    }
    #[expect(unused_imports)]
    use values::{body, config, field_0, fields};
}

#[test]
fn an_enum_of_grants_may_have_any_names() {
    use ::doorward::form::RequestForm;
    use grants_in_a_module::Grant;

    let grant = Grant::decode(b"grant_type=urn:example:otp&code=7").unwrap();
    assert_eq!((grant.grant_type(), Grant::GRANTS), ("urn:example:otp", 2));
    let Grant::OneTime(form) = grant else {
        ::core::panic!("another grant");
    };
    assert_eq!(&*form.code, "7");
}
