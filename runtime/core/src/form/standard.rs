//! The parameters of a form that RFC 6749 defines.

use crate::form::config::FormConfig;

/// A standard parameter of the form. Faults are reported in the order of these variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// `grant_type`
    GrantType,
    /// `username`
    Username,
    /// `password`
    Password,
    /// `scope`
    Scope,
    /// `client_id`
    ClientId,
    /// `client_secret`
    ClientSecret,
}

impl Standard {
    /// Returns `true` if a form must have the parameter, even if its type is optional.
    pub(super) const fn is_required(self, config: &FormConfig) -> bool {
        match self {
            Self::GrantType => config.is_strict() && config.grant_type().is_some(),
            Self::Username | Self::Password => config.is_password(),
            Self::Scope | Self::ClientId | Self::ClientSecret => false,
        }
    }

    /// Returns `true` if a form knows the parameter even without a field for it.
    pub(crate) const fn is_known(self, config: &FormConfig) -> bool {
        match self {
            Self::GrantType => config.grant_type().is_some(),
            Self::Username | Self::Password | Self::Scope => config.is_password(),
            Self::ClientId | Self::ClientSecret => true,
        }
    }

    pub(crate) const ALL: [Self; 6] = [
        Self::GrantType,
        Self::Username,
        Self::Password,
        Self::Scope,
        Self::ClientId,
        Self::ClientSecret,
    ];

    pub(crate) const fn wire_name(self) -> &'static str {
        match self {
            Self::GrantType => "grant_type",
            Self::Username => "username",
            Self::Password => "password",
            Self::Scope => "scope",
            Self::ClientId => "client_id",
            Self::ClientSecret => "client_secret",
        }
    }

    /// Returns the standard parameter at the start of a body, and the bytes after its `=`. Returns
    /// `None` if the name is escaped or has no `=`.
    #[inline]
    pub(super) fn at(body: &[u8]) -> Option<(Self, &[u8])> {
        let likely = match body {
            [b'g', ..] => Self::GrantType,
            [b'u', ..] => Self::Username,
            [b'p', ..] => Self::Password,
            [b's', ..] => Self::Scope,
            [b'c', _, _, _, _, _, _, b'i', ..] => Self::ClientId,
            [b'c', ..] => Self::ClientSecret,
            _ => return None,
        };
        let value = match likely {
            Self::GrantType => body.strip_prefix(b"grant_type="),
            Self::Username => body.strip_prefix(b"username="),
            Self::Password => body.strip_prefix(b"password="),
            Self::Scope => body.strip_prefix(b"scope="),
            Self::ClientId => body.strip_prefix(b"client_id="),
            Self::ClientSecret => body.strip_prefix(b"client_secret="),
        };
        Some((likely, value?))
    }
}
