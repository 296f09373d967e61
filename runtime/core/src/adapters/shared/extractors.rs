//! The extractors for a scheme and a form. Each adapter implements its framework's traits for them.

use core::fmt;

use crate::credential::request_head::RequestHead;
use crate::dependency::decision::decided_alone;
use crate::form::OwnedForm;
use crate::refusal::rejection::Rejection;
use crate::scheme::Scheme;
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// An extractor for the credential of the scheme `S`.
///
/// Each adapter implements its framework's trait for it. If the scheme refuses a request, the
/// extractor sends the response. To respond in the handler, take a
/// `Result<Security<S>, Rejection>`.
pub struct Security<S: Scheme>(
    /// The credential that the scheme yields.
    pub S::Credential,
);

#[allow(dead_code, reason = "used by the frameworks with extractors")]
impl<S: Scheme> Security<S> {
    /// This extractor answers as the scheme does by default.
    const HAS_NO_OWN_ERROR: () = assert!(
        S::CONFIG.own_error.is_none(),
        "the scheme answers with an error type, which this extractor cannot do; write `#[secured]` on the handler, and `#[security(…)]` on the parameter"
    );

    /// Reads the credential from a request, for a handler that has no plan. Each adapter calls it.
    #[inline]
    pub(in crate::adapters) fn of<H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<S::Credential, Rejection> {
        const { Self::HAS_NO_OWN_ERROR };
        if !trace::is_heard() {
            return S::authenticate(head);
        }
        trace::heard(|| {
            let found = S::authenticate(head);
            decided_alone(const { S::CONFIG.scheme_name }, found.as_ref().err());
            found
        })
    }
}

impl<S: Scheme> fmt::Debug for Security<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Security<{}>(<redacted>)", S::CONFIG.scheme_name)
    }
}

/// An extractor for a form that owns its fields.
///
/// Each adapter implements its framework's trait for it. If the body is not a valid form, the
/// extractor sends the response. To respond in the handler, take a
/// `Result<PasswordForm<T>, FormError>`. For a form that borrows, take a
/// [`FormBody`](crate::form::FormBody).
///
/// The body is read up to the form's own `max_bytes`. axum's `DefaultBodyLimit` applies to axum's
/// own extractors only. A layer that limits the body itself, such as tower-http's, applies here
/// too.
pub struct PasswordForm<T: OwnedForm>(
    /// The form.
    pub T,
);

debug_only!([T: OwnedForm] PasswordForm<T>, "(<redacted>)");
