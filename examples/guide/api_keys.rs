use std::collections::{BTreeSet, HashMap};

use doorward::http::StatusCode;
use doorward::secrecy::SecretString;
use doorward::{
    ApiKey, Rejection, SecurityScopes, Shared, api_key, dependency, secret_eq, secured,
};
use sha2::{Digest, Sha256};

#[api_key(header = "x-api-key", scopes("invoices" = "Read invoices."))]
struct Key;

struct Client {
    name: String,
    hashes: Vec<String>,
    scopes: BTreeSet<String>,
}

/// The clients, by the identifier of their keys: a table of your database.
struct Clients(HashMap<String, Client>);

const UNKNOWN: Rejection = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Unknown key");
const FORBIDDEN: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not for this key");

/// The name of the client whose key this is.
#[dependency]
fn client(
    #[security(Key)] key: ApiKey,
    scopes: SecurityScopes,
    clients: Shared<Clients>,
) -> Result<String, Rejection> {
    let (id, secret) = key.as_str().rsplit_once('_').ok_or(UNKNOWN)?;
    let client = clients.0.get(id).ok_or(UNKNOWN)?;
    let hash = SecretString::from(sha256(secret));
    if !client.hashes.iter().any(|expected| secret_eq(&hash, expected)) {
        return Err(UNKNOWN);
    }
    scopes.check(&client.scopes).map_err(|_| FORBIDDEN)?;
    Ok(client.name.clone())
}

fn sha256(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[secured]
async fn invoices(#[security(client, scopes("invoices"))] name: String) -> String {
    format!("the invoices of {name}")
}

#[tokio::test]
async fn keys_of_a_client_get_in() {
    use axum::body::Body;
    use doorward::axum08::{Router, routing::get};
    use tower::ServiceExt;

    let client_of = |scope: &str| Client {
        name: "Alice".to_owned(),
        hashes: vec![sha256("old"), sha256("new")],
        scopes: BTreeSet::from([scope.to_owned()]),
    };
    let clients =
        [("inv_a".to_owned(), client_of("invoices")), ("inv_b".to_owned(), client_of("feed"))];
    let clients = Shared::new(Clients(HashMap::from(clients)));
    let app: Router = Router::new().route("/", get(invoices)).extension(clients);
    for (key, expected) in [
        ("inv_a_old", 200),
        ("inv_a_new", 200),
        ("inv_a_other", 401),
        ("inv_c_new", 401),
        ("new", 401),
        ("inv_b_new", 403),
    ] {
        let request = http::Request::builder().header("x-api-key", key).body(Body::empty());
        let response = app.clone().oneshot(request.unwrap()).await.unwrap();
        assert_eq!(response.status(), expected, "{key}");
        assert_eq!(response.headers().contains_key("www-authenticate"), expected == 401, "{key}");
    }
}
