use doorward::axum08::{Router, routing::get};
use doorward::{Shared, secured};
use doorward_example_auth::{Api, Caller};

#[secured]
async fn orders(#[security(Api, scopes("orders"))] caller: Caller) -> String {
    format!("the orders of {}", caller.sub)
}

#[secured(Api, scopes("stock"))]
async fn stock() -> &'static str {
    "the stock"
}

#[tokio::test]
async fn each_service_has_its_audience() {
    use doorward::testing::TestAuthority;
    use doorward_example_auth::Claims;

    use super::{answer, bearer};

    let of = |audience: &str| TestAuthority::new(audience).unwrap();
    let (for_orders, for_stock) =
        (of("https://orders.example.com"), of("https://stock.example.com"));
    let installed = async |authority: &TestAuthority| {
        Shared::new(authority.verifier::<Claims>().build().await.unwrap())
    };
    let orders: Router =
        Router::new().route("/", get(orders)).extension(installed(&for_orders).await);
    let stock: Router = Router::new().route("/", get(stock)).extension(installed(&for_stock).await);
    assert_eq!(orders.routes().to_string(), "GET  /  Api(orders)\n");
    assert_eq!(stock.routes().to_string(), "GET  /  Api(stock)\n");
    let token = |authority: &TestAuthority| {
        authority.token("johndoe").scopes(["orders", "stock"]).sign().unwrap()
    };
    let expected = (200, "the orders of johndoe".to_owned());
    assert_eq!(answer(&orders, bearer("/", &token(&for_orders))).await, expected);
    assert_eq!(answer(&stock, bearer("/", &token(&for_stock))).await.0, 200);
    assert_eq!(answer(&stock, bearer("/", &token(&for_orders))).await.0, 401);
}
