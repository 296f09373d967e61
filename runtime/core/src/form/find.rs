//! Finds the known parameters of a body in one pass, without copying.
//!
//! Positions come from slices of the body, so they cannot overflow. Arithmetic still wraps instead
//! of panicking, and `get` returns `None` out of range.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memrchr};

use crate::form::FormConfig;
use crate::form::error::FaultKind;
use crate::form::standard::Standard;
use crate::syntax::urlencoded;
use crate::syntax::urlencoded::word::Word;

/// The position of a parameter in the body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// The start of the value: after the `=`, or at the end of a name without one.
    pub(super) value: usize,
    /// The end of the value. It is 0 only if the parameter was not found.
    pub(super) end: usize,
    /// Whether the value contains a `%` or a `+`.
    pub(super) is_escaped: bool,
    /// Whether the parameter occurs more than once in the body.
    pub(super) is_repeated: bool,
    /// Whether an empty value counts as one.
    pub(super) keeps_empty: bool,
}

impl Span {
    /// Returns `true` if the parameter has a value, and an error if it is repeated. A parameter
    /// without a value counts as omitted (RFC 6749, 3.2), unless the field keeps it.
    #[inline]
    pub(super) fn has_value(&self) -> Result<bool, FaultKind> {
        if self.is_repeated { Err(FaultKind::Duplicate) } else { Ok(self.counts()) }
    }

    /// Returns `true` if the value is one, regardless of whether the parameter is repeated.
    #[inline]
    pub(super) fn counts(&self) -> bool {
        self.value != self.end || self.keeps_empty && self.end != 0
    }

    /// Returns `true` if the decoded value in `body` equals `text`.
    #[inline]
    pub(super) fn is(&self, body: &[u8], text: &str) -> bool {
        let value = body.get(self.value..self.end).unwrap_or_default();
        if self.is_escaped { urlencoded::is_name(value, text) } else { value == text.as_bytes() }
    }

    #[inline]
    fn put(&mut self, value: usize, end: usize, is_escaped: bool) {
        self.is_repeated = self.end != 0;
        self.value = value;
        self.end = end;
        self.is_escaped = is_escaped;
    }
}

/// The parameters of a body.
pub struct Parameters<'a> {
    bytes: &'a [u8],
    /// The body as text if all of it is UTF-8, so no value is checked again.
    text: Option<&'a str>,
    standard: [Span; 6],
}

impl<'a> Parameters<'a> {
    /// Creates the parameters of a body. No parameter is found yet.
    #[inline]
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, text: core::str::from_utf8(bytes).ok(), standard: [Span::default(); 6] }
    }

    /// Finds the place of each known parameter. The places of custom parameters go into `own`, in
    /// the order of `own_names`.
    pub(super) fn find(&mut self, config: FormConfig, own_names: &[OwnName], own: &mut [Span]) {
        for field in config.keep_empty() {
            if let Some(place) = self.standard.iter_mut().chain(&mut *own).nth(*field) {
                place.keeps_empty = true;
            }
        }
        let (bytes, aliases) = (self.bytes, config.aliases());
        let mut rest = bytes;
        while let Some(first) = rest.first() {
            if *first == b'&' {
                let next = rest.iter().position(|byte| *byte != b'&');
                rest = next.and_then(|next| rest.get(next..)).unwrap_or_default();
                continue;
            }
            let known = match Standard::at(rest) {
                Some((field, value)) => {
                    self.standard.get_mut(field as usize).map(|place| (place, value))
                }
                None => own_at(rest, own_names, own),
            };
            rest = if let Some((place, after_name)) = known {
                let value = bytes.len().wrapping_sub(after_name.len());
                let (length, is_escaped) = measure(after_name, bytes);
                place.put(value, value.wrapping_add(length), is_escaped);
                after_name.get(length.wrapping_add(1)..).unwrap_or_default()
            } else {
                find_by_whole_name(bytes, rest, aliases, &mut self.standard, own_names, own)
            };
        }
    }

    /// Returns the place of a standard parameter.
    #[inline]
    pub(super) fn place(&self, field: Standard) -> &Span {
        let [grant_type, username, password, scope, client_id, client_secret] = &self.standard;
        match field {
            Standard::GrantType => grant_type,
            Standard::Username => username,
            Standard::Password => password,
            Standard::Scope => scope,
            Standard::ClientId => client_id,
            Standard::ClientSecret => client_secret,
        }
    }

    /// Returns the place of each parameter of a field with this name, or with an alias.
    pub(super) fn each(
        &self,
        name: &str,
        field: usize,
        config: FormConfig,
    ) -> impl Iterator<Item = Span> {
        let aliases = config.aliases();
        let keeps_empty = config.keep_empty().contains(&field);
        let places = each_of(self.bytes, move |pair| {
            pair.is_named(name) || pair.aliased(aliases) == Some(field)
        });
        places.map(move |place| Span { keeps_empty, ..place })
    }

    /// Returns the pair `name=value` of a parameter that has a value, as sent.
    pub(super) fn pair(&self, place: &Span) -> &'a [u8] {
        let before = self.bytes.get(..place.value).unwrap_or_default();
        let start = memrchr(b'&', before).map_or(0, |at| at.wrapping_add(1));
        self.bytes.get(start..place.end).unwrap_or_default()
    }

    /// Returns a value as sent.
    fn bytes(&self, place: &Span) -> &'a [u8] {
        self.bytes.get(place.value..place.end).unwrap_or_default()
    }

    /// Returns a value as sent, as text.
    #[inline]
    pub(super) fn text(&self, place: &Span) -> Result<&'a str, FaultKind> {
        match self.text {
            Some(text) => Ok(text.get(place.value..place.end).unwrap_or_default()),
            None => core::str::from_utf8(self.bytes(place)).map_err(|_| FaultKind::NotUtf8),
        }
    }

    /// Returns a decoded value.
    #[inline]
    pub(super) fn decode(&self, place: &Span) -> Result<Cow<'a, str>, FaultKind> {
        if place.is_escaped {
            self.unescape(place).map(Cow::Owned)
        } else {
            self.text(place).map(Cow::Borrowed)
        }
    }

    /// Returns a decoded value that contains escapes.
    pub(super) fn unescape(&self, place: &Span) -> Result<String, FaultKind> {
        urlencoded::decode(self.bytes(place)).map_err(|_| FaultKind::NotUtf8)
    }

    /// Returns `true` if a value has escapes other than `+`.
    #[inline]
    pub(super) fn has_percent(&self, place: &Span) -> bool {
        place.is_escaped && self.bytes(place).contains(&b'%')
    }

    /// Checks that the decoded value is UTF-8, without a copy.
    pub(super) fn check(&self, place: &Span) -> Result<(), FaultKind> {
        if place.is_escaped {
            urlencoded::check_utf8(self.bytes(place)).map_err(|_| FaultKind::NotUtf8)
        } else {
            self.text(place).map(drop)
        }
    }

    /// Returns `true` if the decoded value equals `text`.
    #[inline]
    pub(super) fn is(&self, place: &Span, text: &str) -> bool {
        place.is(self.bytes, text)
    }
}

/// Returns the place of each parameter of a body with this name.
pub(super) fn each(body: &[u8], name: &str) -> impl Iterator<Item = Span> {
    each_of(body, move |pair| pair.is_named(name))
}

fn each_of(body: &[u8], is_meant: impl Fn(&Pair<'_>) -> bool) -> impl Iterator<Item = Span> {
    let mut rest = body;
    core::iter::from_fn(move || {
        while !rest.is_empty() {
            let pair = Pair::first(rest);
            let before = core::mem::replace(&mut rest, pair.after);
            if is_meant(&pair) {
                return Some(pair.place(body, before));
            }
        }
        None
    })
}

/// A name and its value, as sent.
struct Pair<'a> {
    name: &'a [u8],
    /// The value, if the name has a `=`.
    value: Option<&'a [u8]>,
    /// The length of both.
    length: usize,
    /// The bytes after the pair.
    after: &'a [u8],
}

impl<'a> Pair<'a> {
    /// Splits the first pair off.
    fn first(rest: &'a [u8]) -> Self {
        let length = memchr(b'&', rest).unwrap_or(rest.len());
        let pair = rest.get(..length).unwrap_or_default();
        let name_length = memchr(b'=', pair);
        Self {
            name: pair.get(..name_length.unwrap_or(length)).unwrap_or_default(),
            value: name_length.and_then(|length| pair.get(length.wrapping_add(1)..)),
            length,
            after: rest.get(length.wrapping_add(1)..).unwrap_or_default(),
        }
    }

    /// Returns `true` if the name has escapes.
    fn is_escaped(&self) -> bool {
        memchr2(b'%', b'+', self.name).is_some()
    }

    fn is_named(&self, name: &str) -> bool {
        if self.is_escaped() {
            urlencoded::is_name(self.name, name)
        } else {
            self.name == name.as_bytes()
        }
    }

    /// Returns the field that has this name as an alias, in any case.
    fn aliased(&self, aliases: &[(usize, &str)]) -> Option<usize> {
        let name = match (aliases, self.is_escaped()) {
            ([], _) => return None,
            (_, true) => Cow::Owned(urlencoded::decode(self.name).ok()?.into_bytes()),
            (_, false) => Cow::Borrowed(self.name),
        };
        let is_name = |alias: &str| alias.as_bytes().eq_ignore_ascii_case(&name);
        let (field, _) = aliases.iter().find(|(_, alias)| is_name(alias))?;
        Some(*field)
    }

    /// Returns the place of the value. The pair is at the start of `rest`, the end of `body`.
    fn place(&self, body: &[u8], rest: &[u8]) -> Span {
        let value = self.value.unwrap_or_default();
        let start = body.len().wrapping_sub(rest.len());
        let end = start.wrapping_add(self.length);
        Span {
            value: end.wrapping_sub(value.len()),
            end,
            is_escaped: memchr2(b'%', b'+', value).is_some(),
            is_repeated: false,
            keeps_empty: false,
        }
    }
}

/// The name of a custom parameter on the wire.
#[derive(Clone, Copy, Debug)]
pub struct OwnName {
    pub(super) name: &'static str,
    /// Whether the name is not escaped on the wire. With an escape, it would be another name.
    is_plain: bool,
}

impl OwnName {
    /// Creates a name at compile time.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let mut rest = name.as_bytes();
        let mut is_plain = true;
        while let [byte, tail @ ..] = rest {
            is_plain &= !matches!(byte, b'%' | b'+' | b'&' | b'=');
            rest = tail;
        }
        Self { name, is_plain }
    }
}

/// Returns the custom parameter at the start of a body, like [`Standard::at`].
fn own_at<'p, 'a>(
    body: &'a [u8],
    names: &[OwnName],
    places: &'p mut [Span],
) -> Option<(&'p mut Span, &'a [u8])> {
    names.iter().zip(places).find_map(|(own, place)| {
        let name = own.name.as_bytes();
        // Nearly every other name is told apart by its length.
        let may_be_it = own.is_plain && body.get(name.len()) == Some(&b'=');
        let value = may_be_it.then(|| body.strip_prefix(name))??;
        Some((place, value.get(1..)?))
    })
}

/// Stores the place of the parameter at the start of `rest` if its name is known, but is escaped, has
/// no `=`, or is an alias. Returns the bytes after the parameter.
///
/// Not inlined, because the loop over ordinary parameters is faster without it.
#[inline(never)]
fn find_by_whole_name<'a>(
    body: &[u8],
    rest: &'a [u8],
    aliases: &[(usize, &str)],
    standard: &mut [Span; 6],
    own_names: &[OwnName],
    own: &mut [Span],
) -> &'a [u8] {
    let pair = Pair::first(rest);
    let is_whole = pair.value.is_none() || pair.is_escaped();
    let names = Standard::ALL.iter().map(|field| field.wire_name());
    let mut names = names.chain(own_names.iter().map(|own| own.name));
    let named = is_whole.then(|| names.position(|known| urlencoded::is_name(pair.name, known)));
    let field = named.flatten().or_else(|| pair.aliased(aliases));
    if let Some(place) = field.and_then(|field| standard.iter_mut().chain(own).nth(field)) {
        let found = pair.place(body, rest);
        place.put(found.value, found.end, found.is_escaped);
    }
    pair.after
}

/// Returns the length of the value at the start of `rest`, and whether it has escapes.
///
/// Most values end within a few words. Only longer ones pay for another function call.
#[inline]
fn measure(rest: &[u8], body: &[u8]) -> (usize, bool) {
    let seen = |unseen: &[u8]| rest.len().wrapping_sub(unseen.len());
    let mut unseen = rest;
    let mut is_escaped = false;
    for _ in 0..4 {
        let (word, after) = Word::first(unseen, body);
        let at = if is_escaped { word.ampersand() } else { word.special() };
        unseen = match (at, after) {
            (Some(at), _) => match unseen.get(at) {
                Some(b'&') => return (seen(unseen).wrapping_add(at), is_escaped),
                byte => {
                    is_escaped |= matches!(byte, Some(b'%' | b'+'));
                    unseen.get(at.wrapping_add(1)..).unwrap_or_default()
                }
            },
            (None, Some(after)) => after,
            (None, None) => return (rest.len(), is_escaped),
        };
    }
    measure_on(rest, seen(unseen), is_escaped)
}

/// Measures the remainder of a long value, after its first `measured` bytes.
fn measure_on(rest: &[u8], measured: usize, is_escaped: bool) -> (usize, bool) {
    let unseen = rest.get(measured..).unwrap_or_default();
    let length = memchr(b'&', unseen).unwrap_or(unseen.len());
    let value = unseen.get(..length).unwrap_or_default();
    (measured.wrapping_add(length), is_escaped || memchr2(b'%', b'+', value).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures a value byte by byte, up to the first `&`.
    fn measured_slowly(value: &[u8]) -> (usize, bool) {
        let length = value.iter().position(|byte| *byte == b'&').unwrap_or(value.len());
        let is_escaped = value[..length].iter().any(|byte| matches!(byte, b'%' | b'+'));
        (length, is_escaped)
    }

    #[test]
    fn a_value_is_measured_whatever_its_length_and_wherever_it_stands() {
        for length in 0..40 {
            for special in *b"&%+'*a\x7f\xa6\xff" {
                for at in 0..length {
                    for ends_at in 0..length + 1 {
                        let mut body = vec![b'a'; length];
                        body[at] = special;
                        if let Some(end) = body.get_mut(ends_at) {
                            *end = b'&';
                        }
                        for start in 0..length.min(9) {
                            assert_eq!(
                                measure(&body[start..], &body),
                                measured_slowly(&body[start..]),
                                "{body:?} {start}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn each_standard_parameter_is_known_by_its_name_alone() {
        for field in Standard::ALL {
            let body = format!("{}=a&", field.wire_name());
            assert_eq!(Standard::at(body.as_bytes()), Some((field, &b"a&"[..])));
            assert_eq!(Standard::at(&body.as_bytes()[1..]), None);
            assert_eq!(Standard::at(field.wire_name().as_bytes()), None);
        }
    }
}
