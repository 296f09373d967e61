//! One suite for every framework: the same requests, sent as bytes over a socket, get the same
//! responses.

mod challenges;
mod connections;
mod refusals;
mod rights;
mod routes;
mod transport;
mod vectors;

use tollgate_tests::server::Server;

/// A framework of the conformance server.
struct Framework {
    name: &'static str,
    /// The changes that the server makes to a request before tollgate sees it, if other servers do
    /// not make them.
    exceptions: &'static [Exception],
}

#[derive(PartialEq)]
enum Exception {
    /// Drops header lines that are not UTF-8. A credential in such a line is missing, so the
    /// request is refused.
    DropsHeadersThatAreNotUtf8,
}

impl Framework {
    fn has(&self, exception: &Exception) -> bool {
        self.exceptions.contains(exception)
    }

    fn start(&self) -> Server {
        Server::start(env!("CARGO_BIN_EXE_conformance"), &["--framework", self.name]).unwrap()
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
            fn refusals_in_own_format() {
                refusals::in_own_format(&FRAMEWORK);
            }

            #[test]
            fn refusals_of_lenient_alternatives() {
                refusals::of_lenient_alternatives(&FRAMEWORK);
            }

            #[test]
            fn forms_with_client() {
                vectors::forms_with_client(&FRAMEWORK);
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
            fn alternatives() {
                routes::alternatives(&FRAMEWORK);
            }

            #[test]
            fn roles() {
                rights::roles(&FRAMEWORK);
            }

            #[test]
            fn objects() {
                rights::objects(&FRAMEWORK);
            }

            #[test]
            fn challenges() {
                challenges::parsed(&FRAMEWORK);
            }

            #[test]
            fn metadata() {
                challenges::metadata(&FRAMEWORK);
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
            fn unread_bodies() {
                connections::unread_bodies(&FRAMEWORK);
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
