//! The decoder of all forms. [`find`](crate::form::find) finds the fields, then each is decoded
//! into its type.
//!
//! Memory is bounded by the known fields, and time is linear in the length of the body. Only the
//! values of fields are allocated, and the faults if there are any.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::form::FormConfig;
use crate::form::error::{Fault, FaultKind, FormError};
use crate::form::find::{OwnName, Parameters, Span};
use crate::form::purpose::Purpose;
use crate::form::scopes::{FromScopes, RequestedScopes};
use crate::form::standard::Standard;
use crate::form::text::{FromText, InvalidText};
use crate::form::value::{absent, from_pair};
use crate::trace;

/// Reads a form from a body, with what the caller wants to know about the client. `own_names` are
/// the custom fields' names on the wire, in the order of their declaration. `read` takes each field
/// and builds the form.
///
/// # Errors
///
/// Returns all faults of the body. If the body is longer than the form's limit, that is the only
/// fault.
#[inline]
pub fn decode<'a, T, P: Purpose, const N: usize>(
    body: &'a [u8],
    config: FormConfig,
    own_names: [OwnName; N],
    read: impl FnOnce(&mut Fields<'_, 'a>) -> Option<T>,
) -> Result<P::Output<T>, FormError> {
    if body.len() > config.max_bytes() {
        return Err(refused::<P>(FormError::body_too_large()));
    }
    let mut standard = StandardFields { parameters: Parameters::of(body), faults: Vec::new() };
    let mut own = [Span::default(); N];
    standard.parameters.find(config, &own_names, &mut own);
    let mut fields = Fields {
        standard: &mut standard,
        own: &own,
        own_names: &own_names,
        config,
        is_taken: [false; 6],
    };
    let form = read(&mut fields);
    let is_taken = fields.is_taken;
    standard.check_rest(config, is_taken);
    match form {
        Some(form) if standard.faults.is_empty() => {
            if P::IS_RECORDED {
                // Without the form, so that it need not be in memory for an event.
                trace::form_was_read();
            }
            Ok(P::output(form, &standard.parameters))
        }
        _ => Err(refused::<P>(standard.error(config, &own_names))),
    }
}

#[cold]
pub(super) fn refused<P: Purpose>(error: FormError) -> FormError {
    if P::IS_RECORDED {
        trace::form_was_refused(&error);
    }
    error
}

/// The fields found in a body.
pub struct Fields<'f, 'a> {
    standard: &'f mut StandardFields<'a>,
    own: &'f [Span],
    own_names: &'f [OwnName],
    /// Kept outside the borrowed `standard`, like the next field, so the compiler knows the value.
    config: FormConfig,
    /// Whether each standard field was taken.
    is_taken: [bool; 6],
}

impl<'a> Fields<'_, 'a> {
    /// Takes a standard field and creates its value from the text.
    #[inline(always)]
    pub(super) fn made<T>(
        &mut self,
        field: Standard,
        from_text: impl FnOnce(Cow<'a, str>) -> Result<T, InvalidText>,
        absent: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let StandardFields { parameters, .. } = &self.standard;
        let made = match self.standard.has_value(self.config, field) {
            Ok(true) => parameters
                .decode(parameters.place(field))
                .and_then(|text| from_text(text).map_err(|_| FaultKind::Invalid)),
            Ok(false) => absent().ok_or(FaultKind::Missing),
            Err(kind) => Err(kind),
        };
        self.settle(field, made)
    }

    /// Takes the list of scopes.
    #[inline]
    pub(super) fn scopes<T: FromScopes<'a>>(&mut self) -> Option<T> {
        let field = Standard::Scope;
        let StandardFields { parameters, .. } = &self.standard;
        let scopes = match self.standard.has_value(self.config, field) {
            Ok(true) => RequestedScopes::find(parameters, parameters.place(field)),
            Ok(false) => Ok(RequestedScopes::default()),
            Err(kind) => Err(kind),
        };
        let made = scopes.and_then(|scopes| T::from_scopes(scopes).map_err(|_| FaultKind::Invalid));
        self.settle(field, made)
    }

    #[inline(always)]
    fn settle<T>(&mut self, field: Standard, made: Result<T, FaultKind>) -> Option<T> {
        if let Some(is_taken) = self.is_taken.get_mut(field as usize) {
            *is_taken = true;
        }
        self.standard.settle(field, made)
    }

    /// Takes a custom field by its index, made from the text of its parameter.
    #[inline]
    pub(super) fn own_text<T: FromText<'a>>(&mut self, index: usize) -> Option<T> {
        self.own(index, |parameters, place| match place.has_value()? {
            true => parameters
                .decode(place)
                .and_then(|text| T::from_text(text).map_err(|_| FaultKind::Invalid)),
            false => T::absent().ok_or(FaultKind::Missing),
        })
    }

    /// Takes a custom field by its index, made from the pair of its parameter.
    #[inline]
    pub(super) fn own_value<T: DeserializeOwned>(&mut self, index: usize) -> Option<T> {
        self.own(index, |parameters, place| match place.has_value()? {
            true => parameters
                .check(place)
                .and_then(|()| from_pair(parameters.pair(place)).ok_or(FaultKind::Invalid)),
            false => absent().ok_or(FaultKind::Missing),
        })
    }

    /// Returns `true` if the parameter of a custom field was sent with a value, repeated or not.
    pub(super) fn is_sent(&self, index: usize) -> bool {
        let own = self.own_names.get(index);
        let (field, config) = (number(index), self.config);
        let places = own.map(|own| self.standard.parameters.each(own.name, field, config));
        places.is_some_and(|mut places| places.any(|place| place.counts()))
    }

    /// Takes a custom field by its index. `item` makes an item from each value of its parameter,
    /// which is UTF-8, or refuses it.
    pub(super) fn own_list<C: IntoIterator + FromIterator<C::Item>>(
        &mut self,
        index: usize,
        item: impl Fn(&Parameters<'a>, &Span) -> Option<C::Item>,
    ) -> Option<C> {
        let (name, field, config) = (self.own_names.get(index)?.name, number(index), self.config);
        self.own(index, |parameters, place| {
            // Only a repeated parameter is looked for again.
            let places = || {
                let only = (!place.is_repeated).then_some(*place);
                let each = place.is_repeated.then(|| parameters.each(name, field, config));
                let places = only.into_iter().chain(each.into_iter().flatten());
                places.filter(Span::counts)
            };
            // A value that is not UTF-8 counts before one that is refused, wherever it is.
            places().try_for_each(|place| parameters.check(&place))?;
            places().map(|place| item(parameters, &place).ok_or(FaultKind::Invalid)).collect()
        })
    }

    #[inline(always)]
    fn own<T>(
        &mut self,
        index: usize,
        make: impl FnOnce(&Parameters<'a>, &Span) -> Result<T, FaultKind>,
    ) -> Option<T> {
        let place = self.own.get(index)?;
        make(&self.standard.parameters, place)
            .map_err(|kind| {
                self.standard.fault(number(index), kind);
            })
            .ok()
    }
}

/// Returns the number of a custom field among all fields.
const fn number(index: usize) -> usize {
    Standard::ALL.len().saturating_add(index)
}

/// The standard fields, which follow the same rules in every form, and the faults of all fields.
struct StandardFields<'a> {
    parameters: Parameters<'a>,
    /// Each fault with the index of its field: the standard fields first, then the custom ones.
    faults: Vec<(usize, FaultKind)>,
}

impl StandardFields<'_> {
    /// Returns `true` if a field has a value. Checks that a required field has one, and that the
    /// grant type is the form's.
    #[inline]
    fn has_value(&self, config: FormConfig, field: Standard) -> Result<bool, FaultKind> {
        let place = self.parameters.place(field);
        let has_value = place.has_value()?;
        if !has_value && field.is_required(&config) {
            return Err(FaultKind::Missing);
        }
        if has_value
            && field == Standard::GrantType
            && let Some(grant_type) = config.grant_type()
            && !self.parameters.is(place, grant_type)
        {
            self.parameters.check(place)?;
            return Err(FaultKind::GrantType);
        }
        Ok(has_value)
    }

    #[inline]
    fn settle<T>(&mut self, field: Standard, made: Result<T, FaultKind>) -> Option<T> {
        made.map_err(|kind| self.fault(field as usize, kind)).ok()
    }

    /// Checks the standard fields that the form knows but does not have.
    #[inline]
    fn check_rest(&mut self, config: FormConfig, is_taken: [bool; 6]) {
        for (field, is_taken) in Standard::ALL.into_iter().zip(is_taken) {
            if !is_taken && field.is_known(&config) {
                self.check(config, field);
            }
        }
    }

    fn check(&mut self, config: FormConfig, field: Standard) {
        let checked = match self.has_value(config, field) {
            Ok(true) => self.parameters.check(self.parameters.place(field)),
            Ok(false) => Ok(()),
            Err(kind) => Err(kind),
        };
        self.settle(field, checked);
    }

    #[cold]
    fn fault(&mut self, field: usize, kind: FaultKind) {
        self.faults.push((field, kind));
    }

    /// Returns the faults in the order of the fields, regardless of the order of reading. In a form
    /// of another grant, the grant type is the only fault, because the other parameters belong to
    /// that grant.
    #[cold]
    fn error(&mut self, config: FormConfig, own_names: &[OwnName]) -> FormError {
        let another_grant = (Standard::GrantType as usize, FaultKind::GrantType);
        if self.faults.contains(&another_grant) {
            self.faults = vec![another_grant];
        }
        self.faults.sort_by_key(|(field, _)| *field);
        let fault = |(field, kind): &(usize, FaultKind)| {
            let standard = Standard::ALL.into_iter().map(Standard::wire_name);
            let mut names = standard.chain(own_names.iter().map(|own| own.name));
            Fault {
                kind: *kind,
                field: names.nth(*field),
                grant_type: match kind {
                    FaultKind::GrantType => config.grant_type().filter(|name| !name.is_empty()),
                    _ => None,
                },
            }
        };
        FormError::new(self.faults.iter().map(fault).collect())
    }
}
