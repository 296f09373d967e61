//! The longest chain of dependencies that is allowed compiles on every framework, whatever the
//! framework wraps around a handler.

use doorward::{Rejection, SecurityScopes, dependency};
use http::Request;

use super::each::{each_framework, each_layer};

/// Declares a chain of dependencies. The first name is the leaf. Each of the others depends on the
/// one before it and requires a scope with its own name.
macro_rules! chain {
    ($below:ident) => {};
    ($below:ident $name:ident $($rest:ident)*) => {
        #[dependency]
        async fn $name(
            #[security($below, scopes(stringify!($name)))] scopes: String,
        ) -> Result<String, Rejection> {
            tokio::task::yield_now().await;
            Ok(scopes)
        }

        chain!($name $($rest)*);
    };
}

#[dependency]
async fn a(scopes: SecurityScopes) -> Result<String, Rejection> {
    tokio::task::yield_now().await;
    Ok(scopes.scope_str().to_owned())
}

chain!(a b c d e f g h i j k l m n o);

#[test]
fn on_each_framework() {
    for (framework, ask) in each_framework!(o) {
        let response = ask(Request::new(""));
        assert_eq!(response.body(), "o n m l k j i h g f e d c b", "{framework}");
    }
    for (framework, ask) in each_layer!(o) {
        assert_eq!(ask(Request::new("")).body(), "let in", "{framework}");
    }
}
