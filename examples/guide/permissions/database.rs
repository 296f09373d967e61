use std::collections::HashSet;

use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[http_bearer(scopes("reports" = "Read reports."), verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Permission {
    ExportReports,
    DeleteReports,
}

const DOWN: Rejection =
    Rejection::new(StatusCode::SERVICE_UNAVAILABLE).with_detail("Try again later");
const FORBIDDEN: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights");

/// What administrators have granted to the caller, loaded once for each request.
#[dependency(cached)]
async fn granted(
    #[security(Api)] caller: Verified<Claims>,
    database: Shared<Database>,
) -> Result<HashSet<Permission>, Rejection> {
    database.grants_of(&caller.sub).await.map_err(|_| DOWN)
}

#[dependency]
fn permission(
    #[argument] needed: Permission,
    #[security(granted)] granted: HashSet<Permission>,
) -> Result<(), Rejection> {
    if granted.contains(&needed) { Ok(()) } else { Err(FORBIDDEN) }
}

#[secured(permission(Permission::ExportReports), scopes("reports"))]
async fn export() -> &'static str {
    "the report"
}

struct Database;

impl Database {
    async fn grants_of(&self, user: &str) -> Result<HashSet<Permission>, std::fmt::Error> {
        match user {
            "johndoe" => Ok(HashSet::from([Permission::ExportReports])),
            "alice" => Ok(HashSet::from([Permission::DeleteReports])),
            _ => Err(std::fmt::Error),
        }
    }
}

#[tokio::test]
async fn a_permission_is_needed() -> Result<(), Box<dyn std::error::Error>> {
    use doorward::axum08::{Router, routing::get};
    use tower::ServiceExt;

    let authority = doorward::testing::TestAuthority::new("https://api.example.com")?;
    let tokens: doorward::jwt::TokenVerifier<Claims> = authority.verifier().build().await?;
    let app: Router = Router::new()
        .route("/", get(export))
        .extension(Shared::new(tokens))
        .extension(Shared::new(Database));
    for (user, status) in [("johndoe", 200), ("alice", 403), ("nemo", 503)] {
        let token = authority.token(user).scopes(["reports"]).sign()?;
        let request = http::Request::get("/")
            .header("authorization", format!("Bearer {}", token.as_str()))
            .body(axum::body::Body::empty())?;
        assert_eq!(app.clone().oneshot(request).await?.status(), status, "{user}");
    }
    Ok(())
}
