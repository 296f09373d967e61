//! `#[oauth2(flows(password(token_url = "token")))]`

use proc_macro2::TokenStream;

use crate::flow::{Flow, FlowKind};
use crate::params::Params;
use crate::scheme::{self, Credential, Own};

const NAME: &str = "oauth2";

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand(NAME, args, item, |_, params| Own {
        credential: Credential::AuthorizationValue,
        flows: take_flows(params),
        strict: false,
    })
}

fn take_flows(params: &mut Params<'_>) -> Vec<Flow> {
    let Some((_, list)) = params.list("flows", r#"password(token_url = "token")"#) else {
        return Vec::new();
    };
    let mut flows = Params::parse("`flows`", [list], params.errors);
    let taken = FlowKind::ALL
        .into_iter()
        .filter_map(|kind| take_flow(kind, &mut flows))
        .collect();
    flows.finish();
    taken
}

fn take_flow(kind: FlowKind, flows: &mut Params<'_>) -> Option<Flow> {
    let example = kind.required_parameters();
    let (place, list) = flows.list(kind.name(), &example)?;
    let mut params = Params::parse(format!("`{}`", kind.name()), [list], flows.errors);
    let flow = Flow::take(
        kind,
        &mut params,
        place,
        &format!("{}({example})", kind.name()),
    );
    params.finish();
    Some(flow)
}
