//! The configuration of a form.

/// The configuration of a form, known at compile time.
///
/// ```
/// use doorward::form::FormConfig;
///
/// const CONFIG: FormConfig = FormConfig::new().with_grant_type("refresh_token").with_max_bytes(1024);
///
/// assert_eq!(CONFIG.grant_type(), Some("refresh_token"));
/// assert!(CONFIG.is_strict());
/// assert_eq!(CONFIG.max_bytes(), 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormConfig {
    grant_type: Option<&'static str>,
    is_strict: bool,
    max_bytes: usize,
    /// Whether `username` and `password` are required, and `scope` is known without a field for it.
    is_password: bool,
    /// Other names of fields, each after the number of its field.
    aliases: &'static [(usize, &'static str)],
    /// The numbers of the fields whose empty value counts.
    keep_empty: &'static [usize],
}

impl FormConfig {
    /// The default maximum length of a body: 64 KiB.
    pub const DEFAULT_MAX_BYTES: usize = 64 * 1024;

    /// Creates the configuration of a form without a grant type, with bodies of at most 64 KiB.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            grant_type: None,
            is_strict: true,
            max_bytes: Self::DEFAULT_MAX_BYTES,
            is_password: false,
            aliases: &[],
            keep_empty: &[],
        }
    }

    /// Creates the configuration of a password form, which may omit `grant_type=password`, with
    /// bodies of at most 64 KiB.
    #[must_use]
    pub const fn password() -> Self {
        Self { grant_type: Some("password"), is_strict: false, is_password: true, ..Self::new() }
    }

    /// Sets the only value that the parameter `grant_type` may have.
    #[must_use]
    pub const fn with_grant_type(mut self, grant_type: &'static str) -> Self {
        self.grant_type = Some(grant_type);
        self
    }

    /// Sets whether a form with a grant type must be sent with its `grant_type`. The default is
    /// `true`, except for [`password`](Self::password).
    #[must_use]
    pub const fn with_strict(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }

    /// Sets the maximum length of a body, in bytes. With 0, every body is refused.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Sets other names of fields, and the fields whose empty value counts, by their numbers: the
    /// standard parameters first, then the custom fields as they are declared.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_fields(
        mut self,
        aliases: &'static [(usize, &'static str)],
        keep_empty: &'static [usize],
    ) -> Self {
        self.aliases = aliases;
        self.keep_empty = keep_empty;
        self
    }

    /// Returns the only value that the parameter `grant_type` may have, or `None` if the form does
    /// not have that parameter.
    #[must_use]
    pub const fn grant_type(&self) -> Option<&'static str> {
        self.grant_type
    }

    /// Returns `true` if a form with a grant type must be sent with its `grant_type`.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Returns the maximum length of a body, in bytes.
    #[must_use]
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    pub(super) const fn aliases(&self) -> &'static [(usize, &'static str)] {
        self.aliases
    }

    pub(super) const fn keep_empty(&self) -> &'static [usize] {
        self.keep_empty
    }

    /// Returns `true` if `username` and `password` are required, and `scope` is known.
    pub(super) const fn is_password(&self) -> bool {
        self.is_password
    }
}

impl Default for FormConfig {
    fn default() -> Self {
        Self::new()
    }
}
