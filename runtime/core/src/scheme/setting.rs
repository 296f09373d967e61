//! A value of a scheme's configuration that a service learns when it starts.

pub(crate) mod rule;
pub(crate) mod text_or_setting;

use core::fmt;
use std::sync::OnceLock;

use crate::scheme::setting::rule::Rule;
use crate::syntax::debug_text::debug_as_display;

/// A value of a scheme that the service learns when it starts, such as a URL from its environment.
/// It is in a `static`, and set once.
///
/// The attributes of schemes take it by reference, wherever they take a URL or a realm: as
/// `authorization_url`, `token_url`, `refresh_url`, the `url` of OpenID Connect, `realm`,
/// `resource`, and in `authorization_servers(…)`. Its constructor selects the rule that checks its
/// value, and gives it a name for messages.
///
/// ```
/// use doorward::metadata::ResourceMetadata;
/// use doorward::scheme::Setting;
/// use doorward::{Scheme, oauth2_bearer};
///
/// static ISSUER: Setting = Setting::issuer("ISSUER");
/// static TOKEN_URL: Setting = Setting::url("TOKEN_URL");
/// static API_URL: Setting = Setting::resource("API_URL");
///
/// #[oauth2_bearer(
///     flows(client_credentials(token_url = &TOKEN_URL)),
///     resource = &API_URL,
///     authorization_servers(&ISSUER),
/// )]
/// struct Api;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let refused = Api::authenticate(&http::HeaderMap::new()).unwrap_err();
/// assert_eq!(refused.status(), 500);
///
/// # fn var(name: &str) -> String { format!("https://{}.example.com", if name == "ISSUER" { "id" } else { "api" }) }
/// let issuer = var("ISSUER"); // such as `std::env::var("ISSUER")?`
/// TOKEN_URL.set(format!("{issuer}/token"))?;
/// ISSUER.set(issuer)?;
/// API_URL.set(var("API_URL"))?;
///
/// let refused = Api::authenticate(&http::HeaderMap::new()).unwrap_err();
/// assert_eq!(refused.status(), 401);
/// let metadata = ResourceMetadata::of::<Api>()?;
/// assert_eq!(metadata.path(), "/.well-known/oauth-protected-resource");
/// # Ok(())
/// # }
/// ```
///
/// Set every setting before the service takes requests, and before it builds its description:
///
/// | not set | what happens |
/// |---|---|
/// | a URL of a flow or of OpenID Connect | [`Document`](crate::openapi::Document) returns an error. `openapi::SecurityAddon`, which cannot, leaves the flow out. |
/// | `realm` or `resource` | every request to the scheme is answered with a `500` |
/// | `resource` or an issuer of `authorization_servers(…)` | [`ResourceMetadata::of`](crate::metadata::ResourceMetadata::of) returns an error |
///
/// A `500` and a description that is not complete are an `ERROR` event with the names of the scheme
/// and the setting (feature `tracing`), and a line on stderr in debug builds.
pub struct Setting {
    name: &'static str,
    rule: Rule,
    value: OnceLock<String>,
}

impl Setting {
    /// Creates a setting for a URL of a flow or of OpenID Connect. It may be relative, and must not
    /// be empty or have control characters.
    #[must_use]
    pub const fn url(name: &'static str) -> Self {
        Self::new(name, Rule::Url)
    }

    /// Creates a setting for a realm
    /// ([RFC 9110, 11.5](https://www.rfc-editor.org/rfc/rfc9110#section-11.5)): visible ASCII and
    /// spaces, without `"` and `\`.
    #[must_use]
    pub const fn realm(name: &'static str) -> Self {
        Self::new(name, Rule::Realm)
    }

    /// Creates a setting for the identifier of a protected resource ([RFC 9728,
    /// 1.2](https://www.rfc-editor.org/rfc/rfc9728#section-1.2)): an `https` URL without a fragment
    /// and without a user name, or an `http` URL of this machine, such as `http://localhost:8000`.
    #[must_use]
    pub const fn resource(name: &'static str) -> Self {
        Self::new(name, Rule::Resource)
    }

    /// Creates a setting for the issuer of an authorization server
    /// ([RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)): a URL as for
    /// [`resource`](Self::resource), without a query.
    #[must_use]
    pub const fn issuer(name: &'static str) -> Self {
        Self::new(name, Rule::Issuer)
    }

    const fn new(name: &'static str, rule: Rule) -> Self {
        Self { name, rule, value: OnceLock::new() }
    }

    /// Sets the value. The same one may be set again, so each test can start the service.
    ///
    /// # Errors
    ///
    /// Returns an error if the value does not follow the rule of the setting, or if another one is
    /// set already. The error does not contain the value.
    pub fn set(&self, value: impl Into<String>) -> Result<(), SettingError> {
        let value = value.into();
        self.check(&value, self.rule)?;
        match self.value.set(value) {
            Err(value) if self.get() != Some(&*value) => {
                Err(self.error(self.rule, Problem::SetAlready))
            }
            _ => Ok(()),
        }
    }

    /// Returns the value, if it is set.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.value.get().map(String::as_str)
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the value, to use it as one that has to follow `rule`.
    pub(super) fn usable(&self, rule: Rule) -> Result<&str, SettingError> {
        let value = self.get().ok_or_else(|| self.error(rule, Problem::NotSet))?;
        // It was checked by its own rule when it was set.
        if rule != self.rule {
            self.check(value, rule)?;
        }
        Ok(value)
    }

    fn check(&self, value: &str, rule: Rule) -> Result<(), SettingError> {
        SettingError::check(self.name, value, rule)
    }

    const fn error(&self, rule: Rule, problem: Problem) -> SettingError {
        SettingError { name: self.name, noun: rule.noun(), problem }
    }
}

/// Shows the name. A URL may have a password in it.
impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_set = self.value.get().is_some();
        f.debug_struct("Setting")
            .field("name", &self.name)
            .field("is_set", &is_set)
            .finish_non_exhaustive()
    }
}

/// The error for a [`Setting`] that is not set, or cannot have the value that it is to be set to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SettingError {
    name: &'static str,
    noun: &'static str,
    problem: Problem,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Problem {
    NotSet,
    SetAlready,
    /// The end of a sentence about the value.
    Invalid(&'static str),
}

impl SettingError {
    /// Checks a value independently of any setting. Errors call it `name`.
    pub(crate) fn check(name: &'static str, value: &str, rule: Rule) -> Result<(), Self> {
        match rule.fault(value) {
            None => Ok(()),
            Some(fault) => {
                Err(Self { name, noun: rule.noun(), problem: Problem::Invalid(fault.text()) })
            }
        }
    }

    /// Returns the name of the setting.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, noun, problem } = self;
        let problem = match problem {
            Problem::NotSet => "is not set; call `Setting::set` before the service starts",
            Problem::SetAlready => "has another value already; set it once",
            Problem::Invalid(fault) => fault,
        };
        if name == noun {
            write!(f, "the {noun} {problem}")
        } else {
            write!(f, "the {noun} `{name}` {problem}")
        }
    }
}

impl core::error::Error for SettingError {}

debug_as_display!(SettingError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_set_once() {
        let setting = Setting::resource("API_URL");
        let not_set = setting.usable(Rule::Resource).unwrap_err();
        assert_eq!(
            not_set.to_string(),
            "the resource `API_URL` is not set; call `Setting::set` before the service starts"
        );
        assert_eq!(
            setting.set("nowhere").unwrap_err().to_string(),
            "the resource `API_URL` must be an absolute URL; write one like `https://example.com`"
        );
        assert_eq!(setting.get(), None);
        assert_eq!(setting.set("https://a.example"), Ok(()));
        assert_eq!(setting.set("https://a.example"), Ok(()));
        assert_eq!(
            setting.set("https://b.example").unwrap_err().to_string(),
            "the resource `API_URL` has another value already; set it once"
        );
        assert_eq!(setting.get(), Some("https://a.example"));
        assert_eq!(setting.usable(Rule::Resource), Ok("https://a.example"));
    }

    #[test]
    fn each_has_its_rule() {
        let any = "a b";
        assert_eq!(Setting::url("").set(any), Ok(()));
        assert_eq!(Setting::realm("").set(any), Ok(()));
        assert!(Setting::resource("").set(any).is_err());
        assert!(Setting::issuer("").set(any).is_err());
        assert!(Setting::url("").set("").is_err());
        assert!(Setting::url("").set("a\n").is_err());
        assert!(Setting::realm("").set("a\"").is_err());
        let with_query = "https://a.example?b";
        assert_eq!(Setting::resource("").set(with_query), Ok(()));
        assert!(Setting::issuer("").set(with_query).is_err());
    }

    #[test]
    fn a_value_is_checked_by_the_rule_of_its_use() {
        let realm = Setting::realm("NAME");
        realm.set("users").unwrap();
        assert_eq!(realm.usable(Rule::Url), Ok("users"));
        assert_eq!(
            realm.usable(Rule::Resource).unwrap_err().to_string(),
            "the resource `NAME` must be an absolute URL; write one like `https://example.com`"
        );
        let url = Setting::url("NAME");
        url.set("a\"b").unwrap();
        assert!(url.usable(Rule::Realm).is_err());
    }
}
