use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};
use tokio::sync::RwLock;
use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[http_bearer(verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

const FORBIDDEN: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights");
const UNDECIDED: Rejection =
    Rejection::new(StatusCode::SERVICE_UNAVAILABLE).with_detail("Try again later");

#[dependency]
async fn allowed(
    #[argument] object: &str,
    #[argument] action: &str,
    #[security(Api)] caller: Verified<Claims>,
    enforcer: Shared<RwLock<Enforcer>>,
) -> Result<(), Rejection> {
    match enforcer.read().await.enforce((&*caller.sub, object, action)) {
        Ok(true) => Ok(()),
        Ok(false) => Err(FORBIDDEN),
        Err(_) => Err(UNDECIDED),
    }
}

#[secured(allowed("reports", "export"))]
async fn export() -> &'static str {
    "the report"
}

const MODEL: &str = "
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.obj == p.obj && r.act == p.act";

#[tokio::test]
async fn a_policy_decides() -> Result<(), Box<dyn std::error::Error>> {
    let model = DefaultModel::from_str(MODEL).await?;
    let mut enforcer = Enforcer::new(model, MemoryAdapter::default()).await?;
    enforcer.add_policy(["johndoe", "reports", "export"].map(str::to_owned).to_vec()).await?;
    let enforcer = Shared::new(RwLock::new(enforcer));
    assert_eq!(export(().into()).await, "the report");
    for (user, gets_in) in [("johndoe", true), ("alice", false)] {
        let caller = Verified::new(Claims { sub: user.to_owned() }, []);
        let answer = allowed("reports", "export", caller, enforcer.clone()).await;
        assert_eq!(answer.is_ok(), gets_in, "{user}");
    }
    Ok(())
}
