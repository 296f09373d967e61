use doorward::{public, public as open, secured as guarded};

include!("../callers.rs");

#[public(reason = "")]
async fn empty_reason() {}

#[public(reason = " ")]
async fn blank_reason() {}

const REASON: &str = " ";

#[public(reason = REASON)]
async fn empty_reason_in_a_constant() {}

#[public(reason = concat!("", ""))]
async fn empty_expression() {}

struct Health;

impl Health {
    #[public(reason = "load balancers ask it")]
    async fn get(&self) {}
}

#[public(reason = "load balancers ask it")]
struct OnAStruct;

#[public(raeson = "load balancers ask it")]
async fn reason_misspelt() {}

#[public(reason = 1)]
async fn reason_not_a_string() {}

#[public(reason)]
async fn reason_without_a_value() {}

#[public("load balancers ask it")]
async fn reason_without_its_name() {}

#[public(reason = "load balancers ask it")]
#[secured(user)]
async fn secured_too() {}

#[secured(user)]
#[public(reason = "load balancers ask it")]
async fn public_too() {}

#[open(reason = "load balancers ask it")]
#[guarded(user)]
async fn secured_too_under_another_name() {}

#[guarded(user)]
#[open(reason = "load balancers ask it")]
async fn guarded_too() {}

#[public(reason = "load balancers ask it")]
#[public(reason = "so does the deployment")]
async fn twice() {}

#[public(reason = "load balancers ask it")]
async fn with_a_requirement(#[security(user)] user: String) -> String {
    user
}

#[public]
async fn without_a_reason() {}

#[public()]
async fn without_an_argument() {}

fn main() {}
