//! A value of a scheme's configuration: known at compile time, or set when the service starts.

use super::rule::{Fault, Rule};
use super::setting::{Setting, SettingError};

/// A URL or a realm in a scheme's configuration: known at compile time, or a [`Setting`].
///
/// The attributes of schemes create it. A configuration that is written by hand names it:
///
/// ```
/// use tollgate::scheme::{ConfigValue, Flow, Setting};
///
/// static TOKEN_URL: Setting = Setting::url("TOKEN_URL");
///
/// const KNOWN: Flow = Flow::new().with_token_url(ConfigValue::Known("/token"));
/// const LATE: Flow = Flow::new().with_token_url(ConfigValue::Setting(&TOKEN_URL));
///
/// assert_eq!(KNOWN.token_url().and_then(ConfigValue::get), Some("/token"));
/// assert_eq!(LATE.token_url().and_then(ConfigValue::get), None);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ConfigValue {
    /// Known at compile time.
    Known(&'static str),
    /// Set when the service starts.
    Setting(&'static Setting),
}

impl ConfigValue {
    /// Returns the value. Returns `None` if it is a setting that is not set.
    #[must_use]
    pub fn get(self) -> Option<&'static str> {
        match self {
            Self::Known(value) => Some(value),
            Self::Setting(setting) => setting.get(),
        }
    }

    pub(crate) const fn is_setting(self) -> bool {
        matches!(self, Self::Setting(_))
    }

    /// Finds the mistake in a value that is known at compile time.
    pub(crate) const fn fault(self, rule: Rule) -> Option<Fault> {
        match self {
            Self::Known(value) => rule.fault(value),
            Self::Setting(_) => None,
        }
    }

    /// Returns the value. One that is known was checked when the configuration was made.
    pub(crate) fn usable(self, rule: Rule) -> Result<&'static str, SettingError> {
        match self {
            Self::Known(value) => Ok(value),
            Self::Setting(setting) => setting.usable(rule),
        }
    }
}

/// Two settings are equal if they are the same `static`.
impl PartialEq for ConfigValue {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Known(value), Self::Known(other)) => value == other,
            (Self::Setting(setting), Self::Setting(other)) => core::ptr::eq(setting, other),
            _ => false,
        }
    }
}

impl Eq for ConfigValue {}

impl From<&'static str> for ConfigValue {
    fn from(value: &'static str) -> Self {
        Self::Known(value)
    }
}

impl From<&'static Setting> for ConfigValue {
    fn from(setting: &'static Setting) -> Self {
        Self::Setting(setting)
    }
}
