use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{BearerToken, Shared, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("orders" = "Order."), verified = Claims)]
struct Api;

/// Where the next service is, and the client that calls it.
struct Stock {
    url: String,
    http: reqwest::Client,
}

/// The caller's token as it came, which proves nothing by itself.
#[http_bearer(scheme_name = "Api")]
struct Sent;

#[secured(Api, scopes("orders"))]
async fn order(
    #[security(Sent)] token: BearerToken,
    stock: Shared<Stock>,
) -> Result<String, StatusCode> {
    let request = stock.http.get(&stock.url).bearer_auth(token.as_str());
    let answer = request.send().await.and_then(reqwest::Response::error_for_status);
    let answer = answer.map_err(|_| StatusCode::BAD_GATEWAY)?;
    answer.text().await.map_err(|_| StatusCode::BAD_GATEWAY)
}

#[tokio::test]
async fn the_next_service_sees_the_caller() {
    use doorward::axum08::{Router, routing::get};
    use doorward::testing::TestAuthority;

    use super::{answer, bearer, served};

    #[secured]
    async fn stock(#[security(Api, scopes("orders"))] caller: Verified<Claims>) -> String {
        format!("stock for {}", caller.sub)
    }

    let authority = TestAuthority::new("https://shop.example.com").unwrap();
    let tokens = Shared::new(authority.verifier::<Claims>().build().await.unwrap());
    let next = Router::new().route("/", get(stock)).extension(tokens.clone());
    let stock = Stock { url: served(next).await, http: reqwest::Client::new() };
    let app = |stock| {
        let app: Router = Router::new().route("/", get(order)).extension(tokens.clone());
        app.extension(Shared::new(stock))
    };
    let token = |scope: &str| authority.token("johndoe").scopes([scope]).sign().unwrap();
    let app_with_stock = app(stock);
    let expected = (200, "stock for johndoe".to_owned());
    assert_eq!(answer(&app_with_stock, bearer("/", &token("orders"))).await, expected);
    assert_eq!(answer(&app_with_stock, bearer("/", &token("other"))).await.0, 403);
    let gone = Stock { url: "http://127.0.0.1:1".to_owned(), http: reqwest::Client::new() };
    assert_eq!(answer(&app(gone), bearer("/", &token("orders"))).await.0, 502);
}
