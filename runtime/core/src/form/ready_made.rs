//! The ready-made forms of the other grants, and of the revocation endpoint.

use secrecy::SecretString;

#[cfg(feature = "pkce")]
use crate::form::code_verifier::CodeVerifier;
use crate::form::decode::decode;
use crate::form::error::FormError;
use crate::form::find::OwnName;
use crate::form::purpose::Purpose;
#[cfg(feature = "openapi")]
use crate::form::schema::FormSchema;
#[cfg(feature = "openapi")]
use crate::form::schema::ValueOf;
use crate::form::scopes::FromScopes;
#[cfg(feature = "openapi")]
use crate::form::standard::Standard;
use crate::form::value::{AsList, AsText, FromValue};
use crate::form::{FormConfig, OwnedForm, RequestForm};

/// Defines a form. `scopes` is the standard list, if the form has it. Every other field is a
/// parameter of its name: its number, and the way in which it is read.
macro_rules! ready_made {
    (@standard scopes) => { Standard::Scope };
    (
        $(#[$docs:meta])*
        $name:ident, $config:expr;
        { $($(#[$field_docs:meta])* $number:literal $field:ident: $ty:ty, $way:ident;)* }
        $($(#[$scopes_docs:meta])* $scopes:ident;)?
    ) => {
        $(#[$docs])*
        ///
        /// The client's credentials are not fields of the form, because a client may send them in
        /// the header: [`TokenRequest`](crate::token_endpoint::TokenRequest) and
        /// [`ClientForm`](crate::token_endpoint::ClientForm) find them in both. `Debug` shows no
        /// secret. A body may be at most 64 KiB long.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_docs])* pub $field: $ty,)*
            $($(#[$scopes_docs])* pub $scopes: Vec<String>,)?
        }

        #[diagnostic::do_not_recommend]
        impl<'a> RequestForm<'a> for $name {
            const CONFIG: FormConfig = $config;

            #[cfg(feature = "openapi")]
            fn schema() -> FormSchema {
                let standard: &[Standard] = &[$(ready_made!(@standard $scopes))?];
                let own = [$((stringify!($field), <ValueOf<$ty>>::KIND)),*];
                FormSchema::of::<Self>(standard, &own)
            }

            #[inline(always)]
            fn from_body<P: Purpose>(
                body: &'a [u8],
                config: FormConfig,
            ) -> Result<P::Output<Self>, FormError> {
                decode::<_, P, _>(body, config, const { [$(OwnName::new(stringify!($field))),*] }, |fields| {
                    $(let $scopes = FromScopes::take(fields);)?
                    $(let $field = FromValue::take($way, fields, $number);)*
                    Some(Self { $($scopes: $scopes?,)? $($field: $field?,)* })
                })
            }
        }

        #[diagnostic::do_not_recommend]
        impl OwnedForm for $name {}
    };
}

ready_made! {
    /// The form of the grant `refresh_token`
    /// ([RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)).
    ///
    /// The scopes may be fewer than those of the refresh token, and never more.
    RefreshTokenGrant, FormConfig::new().with_grant_type("refresh_token");
    {
        /// The refresh token.
        0 refresh_token: SecretString, AsText;
        /// The resources that the token is for, as absolute URLs
        /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)).
        1 resource: Vec<String>, AsList;
    }
    /// The scopes that the client requests, in the order of the request. If there are none, the
    /// client requests those of the refresh token.
    scopes;
}

ready_made! {
    /// The form of the grant `client_credentials`
    /// ([RFC 6749, 4.4.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.4.2)).
    ///
    /// The client is the only party, so it must be authenticated: refuse one without a secret.
    ClientCredentialsGrant, FormConfig::new().with_grant_type("client_credentials");
    {
        /// The resources that the token is for, as absolute URLs
        /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)).
        0 resource: Vec<String>, AsList;
    }
    /// The scopes that the client requests, in the order of the request.
    scopes;
}

#[cfg(feature = "pkce")]
ready_made! {
    /// The form of the grant `authorization_code`
    /// ([RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3)), with the code
    /// verifier of [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636#section-4.5).
    ///
    /// A code is for one use, one client and one `redirect_uri`. A code that was issued for a
    /// challenge must be refused without the verifier, and the other way round
    /// ([RFC 9700, 2.1.1](https://www.rfc-editor.org/rfc/rfc9700#section-2.1.1)).
    ///
    /// ```
    /// use doorward::token_endpoint::{AuthorizationCodeGrant, TokenError};
    ///
    /// /// The data that the server stored with a code.
    /// struct Code {
    ///     redirect_uri: String,
    ///     challenge: String,
    /// }
    ///
    /// fn check(grant: &AuthorizationCodeGrant, code: &Code) -> Result<(), TokenError> {
    ///     let verifier = grant.code_verifier.as_ref();
    ///     let is_proven = verifier.is_some_and(|verifier| verifier.verify(&code.challenge));
    ///     if is_proven && grant.redirect_uri.as_ref() == Some(&code.redirect_uri) {
    ///         Ok(())
    ///     } else {
    ///         Err(TokenError::invalid_grant("the code is not valid"))
    ///     }
    /// }
    /// ```
    AuthorizationCodeGrant, FormConfig::new().with_grant_type("authorization_code");
    {
        /// The code.
        0 code: SecretString, AsText;
        /// The URI to which the code was sent, if the client gave it in the authorization request.
        1 redirect_uri: Option<String>, AsText;
        /// The proof that this client requested the code.
        2 code_verifier: Option<CodeVerifier>, AsText;
        /// The resources that the token is for, as absolute URLs
        /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)).
        3 resource: Vec<String>, AsList;
    }
}

ready_made! {
    /// The form of the revocation endpoint
    /// ([RFC 7009, 2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.1)).
    ///
    /// Answer `200` for an unknown token too: the client wants it to be invalid, and it is.
    RevocationForm, FormConfig::new();
    {
        /// The token, which may be an access token or a refresh token.
        0 token: SecretString, AsText;
        /// The kind of the token, such as `refresh_token`: where to look first, and nothing more.
        1 token_type_hint: Option<String>, AsText;
    }
}
