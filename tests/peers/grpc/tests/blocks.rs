//! Random blocks with `#[secured]`, against a model. The build script has written both.

#![allow(clippy::unit_arg, reason = "each message is empty")]

use std::collections::BTreeSet;

use doorward::live::Live;
use doorward::routes::{Requirement, Routes};
use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, secured};
use tonic::{Code, Request, Response, Status};

#[http_bearer(realm = "blocks", scopes("a" = "A.", "b" = "B.", "c" = "C.", "d" = "D.", "e" = "E."))]
struct Api;

struct Caller(String);

/// The token is a list of the scopes that it grants.
#[dependency]
fn caller(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<Caller, BearerError> {
    scopes.check(&*token.as_str().replace('+', " "))?;
    Ok(Caller(token.as_str().to_owned()))
}

include!(concat!(env!("OUT_DIR"), "/blocks.rs"));

fn with(token: Option<&str>) -> Request<()> {
    let mut request = Request::new(());
    if let Some(token) = token {
        let line = format!("Bearer {token}").parse().unwrap();
        request.metadata_mut().insert("authorization", line);
    }
    request
}

/// The scopes in the challenge of a refusal.
fn challenged(status: &Status) -> BTreeSet<&str> {
    let line = status.metadata().get("www-authenticate").unwrap().to_str().unwrap();
    let (_, scopes) = line.split_once("scope=\"").unwrap();
    scopes.trim_end_matches('"').split(' ').collect()
}

#[tokio::test]
async fn random_blocks_refuse_as_the_model_does() {
    let mut refused = 0;
    for (block, method, required) in MODEL {
        let called = |token: Option<&str>| called((*block, *method), with(token));
        let name = format!("{block} {method}");
        let Some(required) = required else {
            assert!(called(None).await.is_ok(), "{name}");
            continue;
        };
        let scopes = BTreeSet::from_iter(required.iter().copied());
        let missing = called(None).await.unwrap_err();
        assert_eq!((missing.code(), challenged(&missing)), (Code::Unauthenticated, scopes.clone()));
        // Each token that lacks one scope of them, one with other scopes, and one with all.
        for lacking in *required {
            let granted = Vec::from_iter(["a", "b", "c", "d", "e"]);
            let granted = granted.into_iter().filter(|scope| scope != lacking);
            let token = Vec::from_iter(granted).join("+");
            let narrow = called(Some(&token)).await.unwrap_err();
            assert_eq!(narrow.code(), Code::PermissionDenied, "{name} {token}");
            assert_eq!(challenged(&narrow), scopes, "{name} {token}");
            refused += 1;
        }
        assert!(called(Some(&required.join("+"))).await.is_ok(), "{name}");
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn the_tables_of_random_blocks_are_the_model() {
    let tables = tables();
    assert_eq!(tables.len(), 200);
    let mut lines = 0;
    for (block, method, required) in MODEL {
        let path = format!("/{block}/Get{method}");
        let route = tables[*block].iter().find(|route| route.path() == path).unwrap();
        lines += 1;
        let found = match route.requirement() {
            Requirement::Public(_) => None,
            Requirement::Schemes { alternatives, .. } => {
                assert_eq!(alternatives.len(), 1);
                let [(name, scopes)] = &*alternatives[0] else { panic!("{alternatives:?}") };
                assert_eq!(name, "Api");
                Some(Vec::from_iter(scopes.iter().map(String::as_str)))
            }
            other => panic!("{other}"),
        };
        assert_eq!(found.as_deref(), *required, "{path}");
    }
    assert_eq!(tables.iter().map(|table| table.iter().count()).sum::<usize>(), lines);
}
