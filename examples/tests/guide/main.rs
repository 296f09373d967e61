//! The program that grows over the first ten pages of the guide, and the other code of these pages.
//! Each page ends with requests to its program, which `console` sends as a reader does: with a shell
//! and curl.

mod console;
mod cookbook;
mod pieces;

use doorward::axum08::Router;
use doorward_tests::server::Server;
use tokio::net::TcpListener;

use self::console::Console;

/// Declares a page, its program, and how a test starts it. The `main` of a program takes ports that
/// may not be free.
macro_rules! pages {
    ($($page:ident = $program:literal { $($start:tt)* })*) => {$(
        mod $page {
            #![expect(dead_code, reason = "`main` is for readers")]

            use super::*;

            include!(concat!("../../guide/", $program));

            $($start)*

            #[tokio::test]
            async fn answers_as_the_page_says() {
                check(concat!(stringify!($page), ".md"), start).await;
            }
        }
    )*};
}

/// Starts a program with a verifier of the issuer's tokens.
macro_rules! with_tokens {
    () => {
        async fn start(issuer: String) -> Router {
            let tokens = TokenVerifier::discover(issuer, reqwest::Client::new());
            app(tokens.audience("https://api.example.com").build().await.unwrap())
        }
    };
}

pages! {
    schemes = "01_schemes.rs" {
        async fn start(_issuer: String) -> Router {
            app()
        }
    }
    verified_tokens = "02_verified_tokens.rs" { with_tokens!(); }
    dependencies = "03_dependencies.rs" { with_tokens!(); }
    permissions = "04_permissions.rs" { with_tokens!(); }
    alternatives = "05_alternatives.rs" { with_tokens!(); }
    doors = "06_doors.rs" { with_tokens!(); }
    api_description = "07_api_description.rs" { with_tokens!(); }
    testing = "08_testing.rs" { with_tokens!(); }
    production = "09_production.rs" { with_tokens!(); }
    security = "10_security.rs" {
        async fn start(issuer: String) -> Router {
            let revoked = Shared::new(Revoked::default());
            let tokens = TokenVerifier::discover(issuer, reqwest::Client::new());
            let tokens = refuse(tokens.audience("https://api.example.com"), revoked.clone());
            app(tokens.build().await.unwrap(), revoked)
        }
    }
}

/// Sends what the page sends to its program, and compares the answers.
async fn check<F: Future<Output = Router>>(page: &str, start: impl FnOnce(String) -> F) {
    let console = Console::of_page(page);
    let issuer = Server::start(env!("CARGO_BIN_EXE_issuer"), &[]).unwrap();
    let issuer = format!("http://{}", issuer.address());
    let app = start(issuer.clone()).await;
    console.prints_table(&app.routes().to_string());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let service = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(async { axum::serve(listener, app).await });
    let asked = tokio::task::spawn_blocking(move || console.answers(&service, &issuer));
    asked.await.unwrap();
    served.abort();
}
