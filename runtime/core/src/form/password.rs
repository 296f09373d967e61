//! The ready-made password forms ([RFC 6749, 4.3.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.3.2)).

use secrecy::SecretString;

use crate::form::decode::decode;
use crate::form::error::FormError;
use crate::form::purpose::Purpose;
use crate::form::scopes::FromScopes;
use crate::form::standard::Standard;
use crate::form::text::FromText;
use crate::form::{FormConfig, OwnedForm, RequestForm};

macro_rules! ready_made {
    ($(#[$docs:meta])* $name:ident, $grant_type:ty, strict: $strict:literal) => {
        $(#[$docs])*
        ///
        /// It owns its fields. `Debug` shows neither the password nor the client's secret.
        ///
        /// A body may be at most 64 KiB long. Derive a custom form for another limit or more
        /// fields.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $name {
            /// The grant type, which is `password` if it was sent.
            pub grant_type: $grant_type,
            /// The user's name.
            pub username: String,
            /// The user's password.
            pub password: SecretString,
            /// The scopes that the client requests, in the order of the request.
            pub scopes: Vec<String>,
            /// The client's identifier.
            pub client_id: Option<String>,
            /// The client's secret.
            pub client_secret: Option<SecretString>,
        }

        #[diagnostic::do_not_recommend]
        impl<'a> RequestForm<'a> for $name {
            const CONFIG: FormConfig = FormConfig::password().with_strict($strict);

            #[cfg(feature = "openapi")]
            fn schema() -> crate::form::schema::FormSchema {
                crate::form::schema::FormSchema::of::<Self>(&[], &[])
            }

            #[inline(always)]
            fn from_body<P: Purpose>(
                body: &'a [u8],
                config: FormConfig,
            ) -> Result<P::Output<Self>, FormError> {
                decode::<_, P, _>(body, config, [], |fields| {
                    let grant_type = FromText::take(fields, Standard::GrantType);
                    let username = FromText::take(fields, Standard::Username);
                    let password = FromText::take(fields, Standard::Password);
                    let scopes = FromScopes::take(fields);
                    let client_id = FromText::take(fields, Standard::ClientId);
                    let client_secret = FromText::take(fields, Standard::ClientSecret);
                    Some(Self {
                        grant_type: grant_type?,
                        username: username?,
                        password: password?,
                        scopes: scopes?,
                        client_id: client_id?,
                        client_secret: client_secret?,
                    })
                })
            }
        }

        #[diagnostic::do_not_recommend]
        impl OwnedForm for $name {}
    };
}

ready_made! {
    /// The password-grant request form for clients that may omit `grant_type`.
    OAuth2PasswordRequestForm, Option<String>, strict: false
}

ready_made! {
    /// The password-grant request form of
    /// [RFC 6749, 4.3.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.3.2), which requires
    /// `grant_type=password`.
    OAuth2PasswordRequestFormStrict, String, strict: true
}
