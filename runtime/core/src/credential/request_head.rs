//! The head of a request, as schemes read it.

use std::borrow::Cow;

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri, Version};

use crate::credential::authorization_line::is_field_value;
use crate::credential::client_certificate::ClientCertificate;
use crate::credential::reason::{RejectionReason, only};
use crate::syntax::debug_text::debug_only;

/// The head of a request: what schemes read of it. It finds the parts and decides nothing, so every
/// framework shares the same decisions.
///
/// It is implemented for [`Parts`] and [`Request`] of the `http` crate, for the request types of
/// the frameworks, and for a bare [`HeaderMap`]. A `HeaderMap` has no query and no method: a scheme
/// that needs a query finds nothing there, and a cookie scheme takes the request for one that
/// changes something.
///
/// A list of names and raw lines is a head, too:
///
/// ```
/// use doorward::{Rejection, Scheme, http_bearer};
///
/// #[http_bearer]
/// struct OAuth2;
///
/// let lines = [("authorization", &b"Bearer s3cret"[..])];
/// let token: &str = OAuth2::authenticate_ref(&lines)?;
/// assert_eq!(token, "s3cret");
/// # Ok::<(), Rejection>(())
/// ```
pub trait RequestHead {
    /// Returns the lines of a header, in the order of the request. The case of the name does not
    /// matter.
    fn lines<'h>(&'h self, name: &str) -> impl Iterator<Item = HeaderLine<'h>>;

    /// Returns the only line of a header.
    ///
    /// # Errors
    ///
    /// Returns the reason if there is no line, an empty one, or more than one.
    #[inline]
    fn line<'h>(&'h self, name: &HeaderName) -> Result<HeaderLine<'h>, RejectionReason> {
        single(self.lines(name.as_str()))
    }

    /// Returns the path of the target, if the head has one.
    fn path(&self) -> Option<&str> {
        None
    }

    /// Returns the query of the target, without the `?`.
    fn query(&self) -> Option<&str>;

    /// Returns a shared copy of the target's path and query, if the head has one. A value in the
    /// query is then taken without a copy.
    fn target(&self) -> Option<PathAndQuery> {
        None
    }

    /// Returns the method. An unknown method is `""`, which counts as one that changes something.
    fn method(&self) -> &str;

    /// Returns the host and port of the target, if it has them, as in HTTP/2.
    fn authority(&self) -> Option<Cow<'_, str>>;

    /// Returns the version of the protocol, if the head has it. In HTTP/1, a refusal says that the
    /// server closes the connection if the request has a body, which is left unread.
    #[inline]
    fn version(&self) -> Option<Version> {
        None
    }

    /// Returns what the server or a middleware has attached to the request under this type, if the
    /// head can have it.
    fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        None
    }

    /// Returns the certificate that the client has shown, if the server has attached it.
    fn certificate(&self) -> Option<ClientCertificate> {
        self.extension()
    }
}

/// A header line, without its name.
#[derive(Clone, Copy)]
pub struct HeaderLine<'h>(Written<'h>);

/// A line as the framework has it.
#[derive(Clone, Copy)]
enum Written<'h> {
    /// A value of the `http` crate, which is cheap to copy.
    Value(&'h HeaderValue),
    Bytes(&'h [u8]),
}

impl<'h> HeaderLine<'h> {
    /// Returns the bytes of the line.
    #[inline(always)]
    #[must_use]
    pub fn bytes(self) -> &'h [u8] {
        match self.0 {
            Written::Value(value) => value.as_bytes(),
            Written::Bytes(bytes) => bytes,
        }
    }

    /// Returns `true` if a request can contain the line: it has no control character other than a
    /// tab.
    #[inline(always)]
    #[must_use]
    pub fn is_field_value(self) -> bool {
        match self.0 {
            Written::Value(_) => true,
            Written::Bytes(bytes) => is_field_value(bytes),
        }
    }

    /// Returns the line as a value that owns its bytes. Returns `None` if no request can contain
    /// it.
    #[inline(always)]
    #[must_use]
    pub fn value(self) -> Option<HeaderValue> {
        match self.0 {
            Written::Value(value) => Some(value.clone()),
            Written::Bytes(bytes) => HeaderValue::from_bytes(bytes).ok(),
        }
    }
}

impl<'h> From<&'h HeaderValue> for HeaderLine<'h> {
    #[inline(always)]
    fn from(value: &'h HeaderValue) -> Self {
        Self(Written::Value(value))
    }
}

impl<'h> From<&'h [u8]> for HeaderLine<'h> {
    #[inline(always)]
    fn from(bytes: &'h [u8]) -> Self {
        Self(Written::Bytes(bytes))
    }
}

debug_only!([] HeaderLine<'_> {});

/// Returns the only line, unless it is empty.
#[inline(always)]
pub(crate) fn single<'h, L: Copy + Into<HeaderLine<'h>>>(
    lines: impl IntoIterator<Item = L>,
) -> Result<L, RejectionReason> {
    let line = only(lines)?;
    if line.into().bytes().is_empty() { Err(RejectionReason::Missing) } else { Ok(line) }
}

/// Returns the only line of a header.
#[inline(always)]
pub(crate) fn line_of<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<HeaderLine<'h>, RejectionReason> {
    let line = if headers.len() == headers.keys_len() {
        // No name occurs twice, so the cheaper lookup finds every line.
        single(headers.get(name))
    } else {
        line_of_many(headers, name)
    };
    // Converted last, so the compiler knows what kind of line it is.
    line.map(HeaderLine::from)
}

#[cold]
fn line_of_many<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<&'h HeaderValue, RejectionReason> {
    single(headers.get_all(name))
}

/// The name `authorization`, as a static so that it is not built for each request.
pub(super) static AUTHORIZATION_NAME: HeaderName = AUTHORIZATION;

/// Implements [`RequestHead`] for a type that has the types of `http` 1.
macro_rules! request_head {
    ([$($generics:tt)*] $request:ty) => {
        request_head!(
            [$($generics)*] $request,
            Self::headers,
            |request| request.method().as_str(),
            |request| Some(request.uri()),
            |request| Some(request.version()),
            |request| Some(request.extensions())
        );
    };
    ([$($generics:tt)*] $head:ty, $headers:expr, $method:expr, $uri:expr, $version:expr, $extensions:expr) => {
        impl $($generics)* $crate::credential::request_head::RequestHead for $head {
            fn lines<'h>(
                &'h self,
                name: &str,
            ) -> impl Iterator<Item = $crate::credential::request_head::HeaderLine<'h>> {
                let headers: fn(&Self) -> &http::HeaderMap = $headers;
                headers(self).get_all(name).into_iter().map(Into::into)
            }

            #[inline(always)]
            fn line<'h>(
                &'h self,
                name: &http::HeaderName,
            ) -> Result<$crate::credential::request_head::HeaderLine<'h>, $crate::credential::reason::RejectionReason> {
                let headers: fn(&Self) -> &http::HeaderMap = $headers;
                $crate::credential::request_head::line_of(headers(self), name)
            }

            fn path(&self) -> Option<&str> {
                let uri: fn(&Self) -> Option<&http::Uri> = $uri;
                uri(self).map(http::Uri::path)
            }

            fn query(&self) -> Option<&str> {
                let uri: fn(&Self) -> Option<&http::Uri> = $uri;
                uri(self)?.query()
            }

            fn target(&self) -> Option<http::uri::PathAndQuery> {
                let uri: fn(&Self) -> Option<&http::Uri> = $uri;
                uri(self)?.path_and_query().cloned()
            }

            fn method(&self) -> &str {
                let method: fn(&Self) -> &str = $method;
                method(self)
            }

            fn authority(&self) -> Option<std::borrow::Cow<'_, str>> {
                let uri: fn(&Self) -> Option<&http::Uri> = $uri;
                Some(uri(self)?.authority()?.as_str().into())
            }

            #[inline]
            fn version(&self) -> Option<http::Version> {
                let version: fn(&Self) -> Option<http::Version> = $version;
                version(self)
            }

            fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
                let extensions: fn(&Self) -> Option<&http::Extensions> = $extensions;
                extensions(self)?.get().cloned()
            }
        }
    };
}

#[cfg(any(feature = "poem3", feature = "salvo1"))]
pub(crate) use request_head;

request_head!([] HeaderMap, |headers| headers, |_| "", |_| None::<&Uri>, |_| None, |_| None);
request_head!([] Parts, |head| &head.headers, |head| head.method.as_str(), |head| Some(&head.uri), |head| Some(head.version), |head| Some(&head.extensions));
request_head!([<B>] Request<B>);

/// Raw lines, each with the name of its header.
macro_rules! raw_lines {
    ([$($generics:tt)*] $lines:ty) => {
        impl<$($generics)*> RequestHead for $lines {
            fn lines<'h>(&'h self, name: &str) -> impl Iterator<Item = HeaderLine<'h>> {
                let is_named = |line: &&(&str, &[u8])| line.0.eq_ignore_ascii_case(name);
                self.iter().filter(is_named).map(|(_, line)| HeaderLine::from(*line))
            }

            fn query(&self) -> Option<&str> {
                None
            }

            fn method(&self) -> &str {
                ""
            }

            fn authority(&self) -> Option<Cow<'_, str>> {
                None
            }
        }
    };
}

raw_lines!([][(&str, &[u8])]);
raw_lines!([const N: usize] [(&str, &[u8]); N]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_line_is_needed() {
        let found = |lines: &[&'static [u8]]| {
            let lines = lines.iter().map(|line| HeaderLine::from(*line));
            single(lines).map(HeaderLine::bytes)
        };
        assert_eq!(found(&[]), Err(RejectionReason::Missing));
        assert_eq!(found(&[b""]), Err(RejectionReason::Missing));
        assert_eq!(found(&[b"x"]), Ok(&b"x"[..]));
        assert_eq!(found(&[b"", b"x"]), Err(RejectionReason::Repeated));
    }
}
