//! The decoder of every form: one pass over the body finds the fields that the form knows, then each is decoded into its type.
//!
//! Memory is bounded by the known fields, time is linear in the body. Nothing but a field's own value is allocated, and the
//! faults only when there are any.

use std::borrow::Cow;

use super::FormConfig;
use super::error::{Fault, FaultKind, FormError};
use super::escape;
use super::scopes::{FromScopes, Scopes};
use super::text::{FromIntermediate, FromText, InvalidText};
use super::value::FromValue;

/// A standard field of the form, in the order in which faults are reported.
#[derive(Clone, Copy, Debug)]
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

    const fn is_required(self, strict: bool) -> bool {
        match self {
            Self::GrantType => strict,
            Self::Username | Self::Password => true,
            Self::Scope | Self::ClientId | Self::ClientSecret => false,
        }
    }
}

/// Reads a form from a body. `own` names the user's own fields on the wire, as declared; `read` takes each field and puts the
/// form together.
///
/// # Errors
///
/// Returns every fault of the body, or only that it is longer than the form's limit.
#[inline]
pub fn decode<'a, T, const N: usize>(
    body: &'a [u8],
    config: FormConfig,
    own: [&'static str; N],
    read: impl FnOnce(&mut Fields<'a, N>) -> Option<T>,
) -> Result<T, FormError> {
    if body.len() > config.max_bytes {
        return Err(FormError::too_large());
    }
    let mut fields = Fields {
        strict: config.strict,
        standard: Standard::ALL.map(|field| Slot::new(field.wire_name())),
        own: own.map(Slot::new),
    };
    find(body, &mut fields.standard, &mut fields.own);
    let form = read(&mut fields);
    fields.finish(form)
}

/// The fields that were found in a body.
pub struct Fields<'a, const N: usize> {
    strict: bool,
    standard: [Slot<'a>; 6],
    own: [Slot<'a>; N],
}

impl<'a, const N: usize> Fields<'a, N> {
    /// Takes a standard field.
    pub fn text<T: FromText<'a>>(&mut self, field: Standard) -> Option<T> {
        self.made(field, T::from_text, T::absent)
    }

    /// Takes a standard field whose type is made from another type, itself made from text.
    pub fn text_from<U: FromText<'a>, T: FromIntermediate<'a, U, Via>, Via>(
        &mut self,
        field: Standard,
    ) -> Option<T> {
        self.made(
            field,
            |text| U::from_text(text).and_then(T::from_intermediate),
            T::absent,
        )
    }

    fn made<T>(
        &mut self,
        field: Standard,
        from_text: impl FnOnce(Cow<'a, str>) -> Result<T, InvalidText>,
        absent: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let found = self.standard_text(field);
        self.standard_slot(field).settle(match found {
            Ok(Some(text)) => from_text(text).map_err(|_| FaultKind::Invalid),
            Ok(None) => absent().ok_or(FaultKind::Missing),
            Err(kind) => Err(kind),
        })
    }

    /// Takes the list of scopes.
    pub fn scopes<T: FromScopes<'a>>(&mut self) -> Option<T> {
        let slot = self.standard_slot(Standard::Scope);
        let scopes = slot.wire_value().and_then(|value| {
            let scopes =
                Scopes::from_wire(value.unwrap_or_default()).map_err(|_| FaultKind::NotUtf8)?;
            T::from_scopes(scopes).map_err(|_| FaultKind::Invalid)
        });
        slot.settle(scopes)
    }

    /// Takes a field of the user's own, by its place among them.
    pub fn value<T: FromValue>(&mut self, index: usize) -> Option<T> {
        let slot = self.own.get_mut(index)?;
        let value = match slot.checked() {
            Ok(Some(_)) => T::from_pair(slot.pair).ok_or(FaultKind::Invalid),
            Ok(None) => T::absent().ok_or(FaultKind::Missing),
            Err(kind) => Err(kind),
        };
        slot.settle(value)
    }

    fn standard_slot(&mut self, field: Standard) -> &mut Slot<'a> {
        let [
            grant_type,
            username,
            password,
            scope,
            client_id,
            client_secret,
        ] = &mut self.standard;
        match field {
            Standard::GrantType => grant_type,
            Standard::Username => username,
            Standard::Password => password,
            Standard::Scope => scope,
            Standard::ClientId => client_id,
            Standard::ClientSecret => client_secret,
        }
    }

    /// Decodes a standard field and holds it to the grant, its presence and its encoding.
    fn standard_text(&mut self, field: Standard) -> Result<Option<Cow<'a, str>>, FaultKind> {
        let value = self.standard_value(field)?;
        value
            .map(escape::decode)
            .transpose()
            .map_err(|_| FaultKind::NotUtf8)
    }

    /// Holds a standard field to all but its encoding.
    fn standard_value(&mut self, field: Standard) -> Result<Option<&'a [u8]>, FaultKind> {
        let is_required = field.is_required(self.strict);
        let value = self.standard_slot(field).wire_value()?;
        match (value, field) {
            (Some(value), Standard::GrantType) if !escape::is_name(value, "password") => {
                Err(escape::check_utf8(value).map_or(FaultKind::NotUtf8, |()| FaultKind::GrantType))
            }
            (None, _) if is_required => Err(FaultKind::Missing),
            _ => Ok(value),
        }
    }

    /// Checks the standard fields that the form has no place for, and returns the form or all faults.
    fn finish<T>(mut self, form: Option<T>) -> Result<T, FormError> {
        for field in Standard::ALL {
            if !self.standard_slot(field).settled {
                let value = self.standard_value(field).and_then(checked);
                self.standard_slot(field).settle(value);
            }
        }
        let faults: Vec<_> = self
            .standard
            .iter()
            .chain(&self.own)
            .filter_map(Slot::fault)
            .collect();
        match form {
            Some(form) if faults.is_empty() => Ok(form),
            _ => Err(FormError::new(faults)),
        }
    }
}

/// What was found of a field.
#[derive(Clone, Copy)]
struct Slot<'a> {
    name: &'static str,
    /// `name=value` as sent; empty when the field was not.
    pair: &'a [u8],
    value: &'a [u8],
    repeated: bool,
    settled: bool,
    fault: Option<FaultKind>,
}

impl<'a> Slot<'a> {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            pair: &[],
            value: &[],
            repeated: false,
            settled: false,
            fault: None,
        }
    }

    /// The value as sent; a parameter without a value counts as omitted (RFC 6749, 3.2).
    fn wire_value(&self) -> Result<Option<&'a [u8]>, FaultKind> {
        if self.repeated {
            Err(FaultKind::Duplicate)
        } else {
            Ok(Some(self.value).filter(|value| !value.is_empty()))
        }
    }

    /// The value as sent, which is UTF-8 once it is decoded.
    fn checked(&self) -> Result<Option<&'a [u8]>, FaultKind> {
        checked(self.wire_value()?)
    }

    fn settle<T>(&mut self, value: Result<T, FaultKind>) -> Option<T> {
        self.settled = true;
        value.map_err(|kind| self.fault = Some(kind)).ok()
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.map(|kind| Fault {
            kind,
            field: Some(self.name),
        })
    }
}

/// Holds a value that is not decoded here to UTF-8.
fn checked(value: Option<&[u8]>) -> Result<Option<&[u8]>, FaultKind> {
    match value.map(escape::check_utf8) {
        Some(Err(_)) => Err(FaultKind::NotUtf8),
        _ => Ok(value),
    }
}

/// Puts each known pair of the body into its slot.
fn find<'a>(body: &'a [u8], standard: &mut [Slot<'a>], own: &mut [Slot<'a>]) {
    for pair in body
        .split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty())
    {
        let name_len = pair
            .iter()
            .position(|byte| *byte == b'=')
            .unwrap_or(pair.len());
        let (name, value) = pair.split_at_checked(name_len).unwrap_or_default();
        if let Some(slot) = standard
            .iter_mut()
            .chain(&mut *own)
            .find(|slot| escape::is_name(name, slot.name))
        {
            slot.repeated = !slot.pair.is_empty();
            slot.pair = pair;
            slot.value = value.get(1..).unwrap_or_default();
        }
    }
}
