//! One suite for every framework: the same requests, sent as bytes over a socket, get the same
//! responses.

mod challenges;
mod connections;
mod decisions;
mod first;
mod refusals;
mod rights;
mod routes;
mod streams;
mod transport;
mod vectors;

use doorward_tests::server::Server;

use crate::connections::Unread;

/// A framework of the conformance server.
struct Framework {
    name: &'static str,
    /// What the server does before doorward sees a request, if other servers do not do it.
    exceptions: &'static [Exception],
    /// What the server does by itself after a body that nobody has read.
    unread: [Unread; 4],
}

/// hyper closes the connection, and does not say so, unless the whole body has come with the head.
const BY_HYPER: [Unread; 4] = [Unread::Kept, Unread::Kept, Unread::Kept, Unread::Silent];
/// actix-web reads chunks to their end.
const BY_ACTIX: [Unread; 4] = [Unread::SaysSo, Unread::SaysSo, Unread::Kept, Unread::SaysSo];
/// Rocket says it of a long body.
const BY_ROCKET: [Unread; 4] = [Unread::Kept, Unread::Kept, Unread::Kept, Unread::SaysSo];

#[derive(PartialEq)]
enum Exception {
    /// Drops header lines that are not UTF-8. A credential in such a line is missing, so the
    /// request is refused.
    DropsHeadersThatAreNotUtf8,
    /// Answers `Expect: 100-continue` with `100 Continue` before the handler asks for the body.
    GivesLeaveFirst,
    /// Has no handlers, so it has no streams.
    HasNoHandlers,
}

impl Framework {
    fn has(&self, exception: &Exception) -> bool {
        self.exceptions.contains(exception)
    }

    fn start(&self) -> Server {
        self.start_with(&[])
    }

    fn start_with(&self, options: &[&str]) -> Server {
        let arguments = [&["--framework", self.name], options].concat();
        Server::start(env!("CARGO_BIN_EXE_conformance"), &arguments).unwrap()
    }
}

/// Declares a test for each part of the suite.
macro_rules! parts {
    ($($test:ident: $part:path;)*) => {$(
        #[test]
        fn $test() {
            $part(&FRAMEWORK);
        }
    )*};
}

/// Runs the whole suite against each framework.
macro_rules! conformance {
    ($($module:ident: $framework:expr;)*) => {$(
        mod $module {
            use super::*;

            const FRAMEWORK: Framework = $framework;

            parts! {
                schemes: vectors::schemes;
                forms: vectors::forms;
                refusals_in_own_format: refusals::in_own_format;
                refusals_of_lenient_alternatives: refusals::of_lenient_alternatives;
                forms_with_client: vectors::forms_with_client;
                clients: vectors::clients;
                scopes: routes::scopes;
                handlers: routes::handlers;
                methods: routes::methods;
                alternatives: routes::alternatives;
                roles: rights::roles;
                objects: rights::objects;
                challenges: challenges::parsed;
                challenges_of_dependencies: challenges::of_dependencies;
                targets: refusals::of_other_targets;
                metadata: challenges::metadata;
                description: routes::description;
                chunks: transport::chunks;
                memory: transport::memory;
                limits: transport::limits;
                unread_bodies: connections::unread_bodies;
                unread_bodies_without_us: connections::without_us;
                decisions: decisions::counted;
                checks_before_faults: first::faults;
                checks_before_bodies: first::bodies;
                checks_before_reading: first::unread;
                hostile_requests: transport::hostile_requests;
                streams: streams::end;
            }
        }
    )*};
}

conformance! {
    axum: Framework { name: "axum", exceptions: &[], unread: BY_HYPER };
    actix_web: Framework { name: "actix-web", exceptions: &[Exception::GivesLeaveFirst], unread: BY_ACTIX };
    hyper: Framework { name: "hyper", exceptions: &[Exception::HasNoHandlers], unread: BY_HYPER };
    poem: Framework { name: "poem", exceptions: &[], unread: BY_HYPER };
    rocket: Framework { name: "rocket", exceptions: &[Exception::DropsHeadersThatAreNotUtf8, Exception::GivesLeaveFirst], unread: BY_ROCKET };
    salvo: Framework { name: "salvo", exceptions: &[], unread: BY_HYPER };
    warp: Framework { name: "warp", exceptions: &[], unread: BY_HYPER };
}
