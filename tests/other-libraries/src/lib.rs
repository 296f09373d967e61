//! The guide's pages that show other libraries, compiled and run: `cargo test --doc`.
//! Their hidden lines call the functions below.

use std::convert::Infallible;
use std::error::Error;

use http::{HeaderMap, Request, Response, header};
use tollgate::jwt::{BuildError, TestAuthority, TestToken};
use tower::{Service, ServiceExt};

/// What a hidden test returns.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Runs a hidden test.
pub fn run(test: impl Future<Output = Outcome>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    tokio::task::LocalSet::new()
        .block_on(&runtime, test)
        .unwrap();
}

/// Returns the issuer whose tokens the services take.
pub fn issuer() -> Result<TestAuthority, BuildError> {
    Ok(TestAuthority::new("https://api.example.com")?.with_issuer("https://id.example.com"))
}

/// Returns what each request of [`answers`] has in the `Authorization` header: a good token,
/// nothing, a token that has expired, and one that lacks the scope.
fn lines(issuer: &TestAuthority) -> [String; 4] {
    let token = || issuer.token("johndoe").scopes(["items"]);
    [
        line(token()),
        String::new(),
        line(token().expired()),
        line(token().scopes(["me"])),
    ]
}

/// The answers of tollgate to these requests.
pub const AFTER: [&str; 4] = [
    "200",
    "401 Bearer",
    r#"401 Bearer error="invalid_token", scope="items""#,
    r#"403 Bearer error="insufficient_scope", scope="items""#,
];

/// Returns a token as the value of an `Authorization` header.
pub fn line(token: TestToken<'_>) -> String {
    format!("Bearer {}", token.sign().unwrap().as_str())
}

/// Returns the status and the challenges of an answer, with blanks between them.
pub fn shown(status: u16, headers: &HeaderMap) -> String {
    let challenges = headers.get_all(header::WWW_AUTHENTICATE).iter();
    let challenges: Vec<_> = challenges.map(|value| value.to_str().unwrap()).collect();
    format!("{status} {}", challenges.join(", "))
        .trim_end()
        .to_owned()
}

/// Sends the four requests to a service of axum.
pub async fn answers<S, B>(app: &S, issuer: &TestAuthority) -> Vec<String>
where
    S: Service<Request<B>, Response = Response<B>, Error = Infallible> + Clone,
    B: Default,
{
    let mut answers = Vec::new();
    for line in lines(issuer) {
        answers.push(answer(app, &line).await);
    }
    answers
}

/// Sends `GET /items` to a service of axum. An empty line is none.
pub async fn answer<S, B>(app: &S, line: &str) -> String
where
    S: Service<Request<B>, Response = Response<B>, Error = Infallible> + Clone,
    B: Default,
{
    let mut request = Request::get("/items");
    if !line.is_empty() {
        request = request.header(header::AUTHORIZATION, line);
    }
    let answer = app
        .clone()
        .oneshot(request.body(B::default()).unwrap())
        .await
        .unwrap();
    shown(answer.status().as_u16(), answer.headers())
}

/// Sends `GET` to a service of actix-web.
pub mod for_actix_web {
    use actix_http::Request;
    use actix_web::body::MessageBody;
    use actix_web::dev::{Service, ServiceResponse};
    use actix_web::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
    use actix_web::test::TestRequest;

    /// Sends the four requests.
    pub async fn answers<B: MessageBody>(
        app: &impl Service<Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
        path: &str,
        issuer: &tollgate::jwt::TestAuthority,
    ) -> Vec<String> {
        let mut answers = Vec::new();
        for line in super::lines(issuer) {
            answers.push(answer(app, path, &line).await);
        }
        answers
    }

    async fn answer<B: MessageBody>(
        app: &impl Service<Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
        path: &str,
        line: &str,
    ) -> String {
        let mut request = TestRequest::get().uri(path);
        if !line.is_empty() {
            request = request.insert_header((AUTHORIZATION, line));
        }
        // A middleware refuses with an error, which the server answers.
        let (status, headers) = match app.call(request.to_request()).await {
            Ok(answer) => (answer.status(), answer.headers().clone()),
            Err(error) => (
                error.error_response().status(),
                error.error_response().headers().clone(),
            ),
        };
        let challenge = headers
            .get(WWW_AUTHENTICATE)
            .map_or("", |value| value.to_str().unwrap());
        format!("{} {challenge}", status.as_u16())
            .trim_end()
            .to_owned()
    }
}

/// Sends `GET` to a service of poem.
pub mod for_poem {
    use poem::http::header::AUTHORIZATION;
    use poem::{Endpoint, Request};

    /// Sends the four requests.
    pub async fn answers(
        app: &impl Endpoint,
        issuer: &tollgate::jwt::TestAuthority,
    ) -> Vec<String> {
        let mut answers = Vec::new();
        for line in super::lines(issuer) {
            answers.push(answer(app, &line).await);
        }
        answers
    }

    async fn answer(app: &impl Endpoint, line: &str) -> String {
        let mut request = Request::builder().uri_str("/items");
        if !line.is_empty() {
            request = request.header(AUTHORIZATION, line);
        }
        let answer = app.get_response(request.finish()).await;
        super::shown(answer.status().as_u16(), answer.headers())
    }

    /// Returns the document at `/openapi.json`.
    pub async fn document(app: &impl Endpoint) -> serde_json::Value {
        let request = Request::builder().uri_str("/openapi.json").finish();
        app.get_response(request)
            .await
            .into_body()
            .into_json()
            .await
            .unwrap()
    }
}

/// What a page leaves to the service: a library for JSON Web Tokens.
pub mod tokens {
    use std::sync::Arc;

    use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, jwk::JwkSet};
    use serde::Deserialize;
    use tollgate::jwt::TestAuthority;

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

    use axum::{Form, Router, body::Body, http::StatusCode};
    use axum_login::{AuthSession, AuthUser, AuthnBackend, AuthzBackend};
    use http::{Request, header};
    use serde::Deserialize;
    use tower::ServiceExt;

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

    pub async fn log_in(mut session: AuthSession<Users>, Form(login): Form<Login>) -> StatusCode {
        let Ok(Some(user)) = session.authenticate(login).await else {
            return StatusCode::UNAUTHORIZED;
        };
        match session.login(&user).await {
            Ok(()) => StatusCode::NO_CONTENT,
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Logs a user in, and returns the cookie.
    pub async fn cookie(app: &Router, name: &str) -> String {
        let form = Body::from(format!("username={name}&password=placeholder"));
        let content_type = "application/x-www-form-urlencoded";
        let request = Request::post("/login").header(header::CONTENT_TYPE, content_type);
        let answer = app
            .clone()
            .oneshot(request.body(form).unwrap())
            .await
            .unwrap();
        let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Sends `GET /items` with a cookie.
    pub async fn answer(app: &Router, cookie: &str) -> String {
        let request = Request::get("/items").header(header::COOKIE, cookie);
        let answer = app
            .clone()
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        super::shown(answer.status().as_u16(), answer.headers())
    }
}

#[cfg(doctest)]
#[doc = include_str!("../../../runtime/docs/browsers.md")]
pub struct Browsers;

#[cfg(doctest)]
#[doc = include_str!("../../../runtime/docs/production.md")]
pub struct Production;

#[cfg(doctest)]
#[doc = include_str!("../../../runtime/docs/from_other_crates.md")]
pub struct FromOtherCrates;
