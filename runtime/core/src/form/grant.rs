//! Chooses the form of a grant by the parameter `grant_type`.

use core::convert::Infallible;

use memchr::memchr3;

use crate::form::FormConfig;
use crate::form::decode::{decode, refused};
use crate::form::error::FormError;
use crate::form::find;
use crate::form::purpose::{FormAlone, Purpose, Unrecorded};
use crate::trace;

/// The names of a grant in an enum. At least one is `Some`, and if both
/// are, they are equal: `check_grant` ensures it.
#[derive(Clone, Copy, Debug)]
pub struct GrantName {
    /// The name that is written at the variant.
    pub written: Option<&'static str>,
    /// The name that the form itself has.
    pub of_form: Option<&'static str>,
    /// Whether the form is itself an enum, which does not compile.
    pub is_enum: bool,
}

impl GrantName {
    pub(crate) const fn get(self) -> Option<&'static str> {
        match self.written {
            Some(written) => Some(written),
            None => self.of_form,
        }
    }
}

/// Returns the name of a grant, or an empty text for a grant without one, which does not compile.
#[must_use]
pub const fn grant_type(grants: &[GrantName], number: usize) -> &'static str {
    match grants.split_at(number).1 {
        [grant, ..] => match grant.get() {
            Some(name) => name,
            None => "",
        },
        [] => "",
    }
}

/// Returns the largest limit of several forms.
#[must_use]
pub const fn longest(mut forms: &[FormConfig]) -> usize {
    let mut longest = 0;
    while let [form, rest @ ..] = forms {
        if form.max_bytes() > longest {
            longest = form.max_bytes();
        }
        forms = rest;
    }
    longest
}

/// Returns the index of the grant that a body names. The body is decoded once, by the form of that
/// grant: here, only the first `grant_type` is looked up, which clients send first.
///
/// # Errors
///
/// Returns the faults of a body that is too large, or that names none of the grants.
pub fn choose(body: &[u8], max_bytes: usize, grants: &[GrantName]) -> Result<usize, FormError> {
    let found = if body.len() > max_bytes {
        Err(FormError::body_too_large())
    } else {
        first(body, grants).or_else(|| anywhere(body, grants)).ok_or_else(|| no_grant(body))
    };
    trace::form_faults(&found);
    found
}

/// Returns the index of the grant that a body begins with, if it is written without escapes, which
/// needs no search. An escaped name may look like another one.
fn first(body: &[u8], grants: &[GrantName]) -> Option<usize> {
    let value = body.strip_prefix(b"grant_type=")?;
    grants.iter().position(|grant| {
        let Some(name) = grant.get().map(str::as_bytes) else {
            return false;
        };
        let after = value.strip_prefix(name);
        after.is_some_and(|after| matches!(after, [] | [b'&', ..]))
            && memchr3(b'%', b'+', b'&', name).is_none()
    })
}

/// Returns the index of the grant in the first `grant_type` of a body.
fn anywhere(body: &[u8], grants: &[GrantName]) -> Option<usize> {
    let place = find::each(body, "grant_type").next()?;
    grants.iter().position(|grant| grant.get().is_some_and(|name| place.is(body, name)))
}

/// Puts the form of a grant into its variant, and records the outcome. If the body names a second
/// grant, the fields that it needs are unknown, so only those of every grant are reported.
///
/// # Errors
///
/// Returns the faults of the form.
#[inline]
pub fn granted<T, G, P: Purpose>(
    body: &[u8],
    form: Result<P::Output<T>, FormError>,
    variant: impl FnOnce(T) -> G,
) -> Result<P::Output<G>, FormError> {
    match form {
        Ok(form) => {
            if P::IS_RECORDED {
                trace::form_was_read();
            }
            Ok(P::map(form, variant))
        }
        Err(error) if error.has_no_grant() => Err(refused::<P>(no_grant(body))),
        Err(error) => Err(refused::<P>(error)),
    }
}

/// Returns the faults of a body without a form: of `grant_type`, and of the client's
/// fields.
#[cold]
fn no_grant(body: &[u8]) -> FormError {
    // No value equals an empty text, because an empty value counts as omitted.
    let config = FormConfig::new().with_grant_type("").with_max_bytes(usize::MAX);
    match decode::<Infallible, Unrecorded<FormAlone>, 0>(body, config, [], |_| None) {
        Ok(never) => match never {},
        Err(error) => error,
    }
}
