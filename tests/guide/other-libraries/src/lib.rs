//! The guide's pages that show other libraries, compiled and run: `cargo test`.
//! Their hidden lines name what is below.

/// The users of a service with axum-login.
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

/// Code that the pages quote, or that they lead to.
#[cfg(test)]
mod quoted {
    mod axum_keycloak_auth;
    mod axum_login;
    mod casbin;
    mod cedar;
    mod cookie_with_a_token;
    mod limit_by_address;
    mod limit_by_user;
    mod log_user;
    mod poem_openapi;
    mod purposes;
    mod session_account;
    mod short_secret;
}
