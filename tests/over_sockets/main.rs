//! One suite for every framework: the same requests, as bytes over a socket, get the same answers.

mod routes;
mod transport;
mod vectors;

use tollgate_tests::server::Server;

/// A framework on which the conformance server runs.
struct Framework {
    name: &'static str,
    /// What the server does to a request before anyone sees it, where it differs from the others.
    exceptions: &'static [Exception],
}

#[derive(PartialEq)]
enum Exception {
    /// A header line that is not UTF-8 is dropped. What stands in such a line is then absent, and so refused.
    DropsHeadersThatAreNotUtf8,
}

impl Framework {
    fn has(&self, exception: &Exception) -> bool {
        self.exceptions.contains(exception)
    }

    fn start(&self) -> Server {
        Server::start(
            env!("CARGO_BIN_EXE_conformance"),
            &["--framework", self.name],
        )
        .unwrap()
    }
}

/// Runs the whole suite against each framework.
macro_rules! conformance {
    ($($module:ident: $framework:expr;)*) => {$(
        mod $module {
            use super::*;

            const FRAMEWORK: Framework = $framework;

            #[test]
            fn schemes() {
                vectors::schemes(&FRAMEWORK);
            }

            #[test]
            fn forms() {
                vectors::forms(&FRAMEWORK);
            }

            #[test]
            fn clients() {
                vectors::clients(&FRAMEWORK);
            }

            #[test]
            fn scopes() {
                routes::scopes(&FRAMEWORK);
            }

            #[test]
            fn handlers() {
                routes::handlers(&FRAMEWORK);
            }

            #[test]
            fn description() {
                routes::description(&FRAMEWORK);
            }

            #[test]
            fn chunks() {
                transport::chunks(&FRAMEWORK);
            }

            #[test]
            fn memory() {
                transport::memory(&FRAMEWORK);
            }

            #[test]
            fn limits() {
                transport::limits(&FRAMEWORK);
            }

            #[test]
            fn hostile_requests() {
                transport::hostile_requests(&FRAMEWORK);
            }
        }
    )*};
}

conformance! {
    axum: Framework { name: "axum", exceptions: &[] };
    actix_web: Framework { name: "actix-web", exceptions: &[] };
    hyper: Framework { name: "hyper", exceptions: &[] };
    poem: Framework { name: "poem", exceptions: &[] };
    rocket: Framework { name: "rocket", exceptions: &[Exception::DropsHeadersThatAreNotUtf8] };
    salvo: Framework { name: "salvo", exceptions: &[] };
    warp: Framework { name: "warp", exceptions: &[] };
}
