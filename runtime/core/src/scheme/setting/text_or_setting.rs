//! A value of a scheme's configuration: known at compile time, or set when the service starts.

use crate::scheme::setting::rule::{Rule, RuleFault};
use crate::scheme::setting::{Setting, SettingError};

/// A URL or a realm in a scheme's configuration: known at compile time, or a [`Setting`].
///
/// The attributes of schemes create it. A configuration that is written by hand names it:
///
/// ```
/// use doorward::scheme::{Flow, Setting, TextOrSetting};
///
/// static TOKEN_URL: Setting = Setting::url("TOKEN_URL");
///
/// const TEXT: Flow = Flow::new().with_token_url(TextOrSetting::Text("/token"));
/// const LATE: Flow = Flow::new().with_token_url(TextOrSetting::Setting(&TOKEN_URL));
///
/// assert_eq!(TEXT.token_url().and_then(TextOrSetting::get), Some("/token"));
/// assert_eq!(LATE.token_url().and_then(TextOrSetting::get), None);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TextOrSetting {
    /// Known at compile time.
    Text(&'static str),
    /// Set when the service starts.
    Setting(&'static Setting),
}

impl TextOrSetting {
    /// Returns the value. Returns `None` if it is a setting that is not set.
    #[must_use]
    pub fn get(self) -> Option<&'static str> {
        match self {
            Self::Text(value) => Some(value),
            Self::Setting(setting) => setting.get(),
        }
    }

    pub(crate) const fn is_setting(self) -> bool {
        matches!(self, Self::Setting(_))
    }

    /// Finds the mistake in a value that is known at compile time.
    pub(crate) const fn fault(self, rule: Rule) -> Option<RuleFault> {
        match self {
            Self::Text(value) => rule.fault(value),
            Self::Setting(_) => None,
        }
    }

    /// Returns the value. One that is known was checked when the configuration was made.
    pub(crate) fn usable(self, rule: Rule) -> Result<&'static str, SettingError> {
        match self {
            Self::Text(value) => Ok(value),
            Self::Setting(setting) => setting.usable(rule),
        }
    }
}

/// Two settings are equal if they are the same `static`.
impl PartialEq for TextOrSetting {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Text(value), Self::Text(other)) => value == other,
            (Self::Setting(setting), Self::Setting(other)) => core::ptr::eq(setting, other),
            _ => false,
        }
    }
}

impl Eq for TextOrSetting {}

impl From<&'static str> for TextOrSetting {
    fn from(value: &'static str) -> Self {
        Self::Text(value)
    }
}

impl From<&'static Setting> for TextOrSetting {
    fn from(setting: &'static Setting) -> Self {
        Self::Setting(setting)
    }
}
