//! The guide's pages that show other libraries, compiled and run: `cargo test --doc`.
//! Their hidden lines name what is below.

/// What a page leaves to the service: a library for JSON Web Tokens.
pub mod tokens {
    use std::sync::Arc;

    use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, jwk::JwkSet};
    use serde::Deserialize;
    use doorward::testing::TestAuthority;

    #[derive(Deserialize)]
    pub struct Claims {
        pub sub: String,
        pub scope: String,
    }

    #[derive(Clone)]
    pub struct Tokens(Arc<(DecodingKey, Validation)>);

    impl Tokens {
        pub fn of(issuer: &TestAuthority) -> Self {
            let keys: JwkSet = serde_json::from_str(issuer.jwks()).unwrap();
            let mut rules = Validation::new(Algorithm::EdDSA);
            rules.set_audience(&["https://api.example.com"]);
            Self(Arc::new((
                DecodingKey::from_jwk(&keys.keys[0]).unwrap(),
                rules,
            )))
        }

        pub fn verify(&self, token: &str) -> Option<Claims> {
            Some(decode(token, &self.0.0, &self.0.1).ok()?.claims)
        }
    }
}

/// What the first half of the page about axum-login shows, for its second half.
pub mod for_axum_login {
    use std::collections::HashSet;
    use std::convert::Infallible;

    use axum_login::{AuthUser, AuthnBackend, AuthzBackend};
    use serde::Deserialize;

    #[derive(Clone, Debug)]
    pub struct User {
        pub name: String,
        permissions: HashSet<String>,
    }

    impl AuthUser for User {
        type Id = String;

        fn id(&self) -> String {
            self.name.clone()
        }

        fn session_auth_hash(&self) -> &[u8] {
            b"a hash"
        }
    }

    #[derive(Deserialize)]
    pub struct Login {
        username: String,
    }

    /// `johndoe` may read the items, and nobody else may.
    #[derive(Clone, Debug)]
    pub struct Users;

    impl AuthnBackend for Users {
        type User = User;
        type Credentials = Login;
        type Error = Infallible;

        async fn authenticate(&self, login: Login) -> Result<Option<User>, Infallible> {
            self.get_user(&login.username).await
        }

        async fn get_user(&self, name: &String) -> Result<Option<User>, Infallible> {
            let permission = if name == "johndoe" { "items" } else { "me" };
            let permissions = HashSet::from([permission.to_owned()]);
            Ok(Some(User {
                name: name.clone(),
                permissions,
            }))
        }
    }

    impl AuthzBackend for Users {
        type Permission = String;

        async fn get_user_permissions(&self, user: &User) -> Result<HashSet<String>, Infallible> {
            Ok(user.permissions.clone())
        }
    }
}

#[cfg(doctest)]
#[doc = include_str!("../../../guide/browsers.md")]
pub struct Browsers;

#[cfg(doctest)]
#[doc = include_str!("../../../guide/from_other_crates.md")]
pub struct FromOtherCrates;

/// Code that the pages quote.
#[cfg(test)]
mod quoted {
    mod casbin;
    mod cedar;
    mod certificate_actix;
    mod certificate_axum;
    mod certificates;
    mod limit_by_address;
    mod limit_by_user;
    mod log_user;
}
