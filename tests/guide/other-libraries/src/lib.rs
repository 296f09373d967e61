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
    use doorward::{BearerToken, Rejection, SecurityScopes, dependency, http_bearer, plan};
    use tracing_subscriber::prelude::*;
    use tracing_subscriber::{Layer, Registry};

    mod aide;
    mod axum_keycloak_auth;
    mod axum_login;
    mod casbin;
    mod cedar;
    mod certificate_actix;
    mod certificate_axum;
    mod certificates;
    mod cookie_with_a_token;
    mod count_by_opentelemetry;
    mod count_decisions;
    mod keep_refusals;
    mod limit_by_address;
    mod limit_by_user;
    mod log_user;
    mod poem_openapi;
    mod purposes;
    mod session_account;
    mod short_secret;

    #[http_bearer(scopes("notes:write" = "Change notes."))]
    struct Api;

    #[dependency]
    fn change(
        #[security(Api)] _token: BearerToken,
        _scopes: SecurityScopes,
    ) -> Result<(), Rejection> {
        Ok(())
    }

    /// Refuses two requests and lets one in, which this layer hears.
    fn decide(layer: impl Layer<Registry> + Send + Sync) {
        // With one subscriber alone, `tracing` asks the thread that is the first to reach an event
        // whether anybody listens, and keeps the answer for all threads, so there is a second one.
        let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let _user = tracing::info_span!("request", user = "johndoe").entered();
            for line in [None, Some("Bearer a"), None] {
                let mut request = http::Request::get("/");
                if let Some(line) = line {
                    request = request.header("authorization", line);
                }
                let mut head = request.body(()).unwrap().into_parts().0;
                let decided = plan!(change, scopes("notes:write")).resolve(&mut head);
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                assert_eq!(runtime.block_on(decided).is_ok(), line.is_some());
            }
        });
    }
}
