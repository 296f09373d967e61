//! The hosts that may be asked by `http`.

use doorward_core::__tokens::url;

use crate::trace;

/// The hosts that a service has named.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpHosts(Vec<String>);

impl HttpHosts {
    /// Adds hosts. Returns what is wrong with their names.
    pub(crate) fn allow(&mut self, hosts: impl IntoIterator<Item: Into<String>>) -> Vec<String> {
        let mut problems = Vec::new();
        for host in hosts.into_iter().map(Into::into) {
            let (name, _) = host_of(host.rsplit_once("//").map_or(&host, |(_, rest)| rest));
            if name != host {
                problems.push(format!(
                    "`allow_http_hosts` takes a host without its scheme, port and path: write \"{}\"",
                    name.escape_debug()
                ));
            }
            self.0.push(name.to_owned());
        }
        problems
    }

    /// Returns what is wrong with a URL that is asked, as the end of a sentence, in which `otherwise`
    /// says what else to do.
    pub(crate) fn fault(&self, url: &str, otherwise: &str) -> Option<String> {
        let fault = url::fault(url)?;
        let Some(rest) = url.strip_prefix("http://") else {
            return Some(fault.to_owned());
        };
        let (host, path) = host_of(rest);
        if !self.0.iter().any(|allowed| allowed.eq_ignore_ascii_case(host)) {
            return Some(format!(
                "{fault}; for another host that only this machine and its network reach, write \
                 `allow_http_hosts([\"{}\"])`{otherwise}",
                host.escape_debug()
            ));
        }
        url::fault(&format!("http://localhost{path}")).map(ToOwned::to_owned)
    }
}

/// Warns of a URL that only `allow_http_hosts` allows.
pub(crate) fn warn_of_http(url: &str) {
    if url::fault(url).is_some() {
        trace::asked_by_http(url);
    }
}

/// Splits the host from what follows it: a port, a path, or a query.
fn host_of(rest: &str) -> (&str, &str) {
    // The address of an IPv6 host is in brackets.
    let start = rest.find(']').unwrap_or(0);
    let end = rest.get(start..).and_then(|rest| rest.find([':', '/', '?', '#']));
    rest.split_at(end.map_or(rest.len(), |end| start.saturating_add(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_may_be_asked_by_http_has_no_scheme_and_no_port() {
        let problems = |host: &str| {
            let mut hosts = HttpHosts::default();
            let problems = hosts.allow([host]);
            assert_eq!(hosts.0.len(), 1);
            problems
        };
        for host in ["keycloak", "[fd00::1]", "10.0.0.1"] {
            assert_eq!(problems(host), [""; 0]);
        }
        for host in ["http://keycloak:8080/realms", "keycloak:8080", "keycloak/realms"] {
            let [problem] = &*problems(host) else { panic!("{host}") };
            assert!(problem.ends_with(r#"write "keycloak""#), "{problem}");
        }
    }
}
