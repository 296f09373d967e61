use axum::extract::Path;
use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};
use serde_json::{Value, json};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(verified = Claims)]
struct Api;

/// Any policy engine with the Authorization API of AuthZEN, at `…/access/v1/evaluation`.
struct Engine {
    url: String,
    http: reqwest::Client,
}

#[derive(serde::Deserialize)]
struct Answer {
    decision: bool,
}

impl Engine {
    async fn allows(&self, question: &Value) -> reqwest::Result<bool> {
        let answer = self.http.post(&self.url).json(question).send().await?;
        Ok(answer.error_for_status()?.json::<Answer>().await?.decision)
    }
}

const FORBIDDEN: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights");
const UNDECIDED: Rejection =
    Rejection::new(StatusCode::SERVICE_UNAVAILABLE).with_detail("Try again later");

#[dependency]
async fn allowed(
    #[argument] action: &str,
    #[security(Api)] caller: Verified<Claims>,
    Path(id): Path<String>,
    engine: Shared<Engine>,
) -> Result<(), Rejection> {
    let question = json!({
        "subject": { "type": "user", "id": caller.sub },
        "action": { "name": action },
        "resource": { "type": "report", "id": id },
    });
    match engine.allows(&question).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(FORBIDDEN),
        Err(_) => Err(UNDECIDED),
    }
}

#[secured(allowed("export"))]
async fn export() -> &'static str {
    "the report"
}

#[tokio::test]
async fn the_engine_decides() {
    use axum::Json;
    use doorward::axum08::{Router, routing::get, routing::post};
    use doorward::public;
    use doorward::testing::TestAuthority;

    use super::{answer, bearer, served};

    #[public(reason = "a policy engine")]
    async fn evaluation(Json(question): Json<Value>) -> Result<Json<Value>, StatusCode> {
        assert_eq!(question["action"], json!({ "name": "export" }));
        match (question["subject"]["id"].as_str(), question["resource"]["id"].as_str()) {
            (Some("johndoe"), Some("7")) => Ok(Json(json!({ "decision": true }))),
            (Some("johndoe"), _) => Ok(Json(json!({ "decision": false }))),
            _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    let engine: Router = Router::new().route("/access/v1/evaluation", post(evaluation));
    let url = format!("{}/access/v1/evaluation", served(engine).await);
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let app: Router = Router::new()
        .route("/reports/{id}", get(export))
        .extension(Shared::new(tokens))
        .extension(Shared::new(Engine { url, http: reqwest::Client::new() }));
    for (user, path, expected) in
        [("johndoe", "/reports/7", 200), ("johndoe", "/reports/8", 403), ("a", "/reports/7", 503)]
    {
        let token = authority.token(user).sign().unwrap();
        assert_eq!(answer(&app, bearer(path, &token)).await.0, expected, "{user} {path}");
    }
}
