use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request};
use serde_json::json;
use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[http_bearer(verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// The policies, and what they are about.
struct Policies {
    policies: PolicySet,
    entities: Entities,
}

impl Policies {
    fn allow(&self, user: &str, action: &str) -> Result<bool, Box<dyn std::error::Error>> {
        // As data, a name cannot become a part of a policy.
        let of = |kind: &str, name: &str| EntityUid::from_json(json!({ "type": kind, "id": name }));
        let (user, action) = (of("User", user)?, of("Action", action)?);
        let reports = of("Service", "reports")?;
        let request = Request::new(user, action, reports, Context::empty(), None)?;
        let response = Authorizer::new().is_authorized(&request, &self.policies, &self.entities);
        Ok(response.decision() == Decision::Allow)
    }
}

const FORBIDDEN: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights");
const UNDECIDED: Rejection =
    Rejection::new(StatusCode::SERVICE_UNAVAILABLE).with_detail("Try again later");

#[dependency]
fn allowed(
    #[argument] action: &str,
    #[security(Api)] caller: Verified<Claims>,
    policies: Shared<Policies>,
) -> Result<(), Rejection> {
    match policies.allow(&caller.sub, action) {
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
async fn a_policy_decides() -> Result<(), Box<dyn std::error::Error>> {
    let policies = Shared::new(Policies {
        policies: r#"permit(principal == User::"johndoe", action == Action::"export", resource);"#
            .parse()?,
        entities: Entities::empty(),
    });
    assert_eq!(export(().into()).await, "the report");
    for (user, gets_in) in [("johndoe", true), ("alice", false), ("x\" || User::\"johndoe", false)]
    {
        let caller = Verified::new(Claims { sub: user.to_owned() }, []);
        assert_eq!(allowed("export", caller, policies.clone()).is_ok(), gets_in, "{user}");
    }
    Ok(())
}
