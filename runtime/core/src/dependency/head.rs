//! Requests of the `http` crate. The context is the head of the request, and [`FromHead`] defines
//! what can be extracted from it.

use core::any::type_name;
use core::future::ready;

use http::request::Parts;
use http::{HeaderMap, Method, Response, Uri, Version};

#[cfg(any(
    feature = "actix-web4",
    feature = "axum08",
    feature = "poem3",
    feature = "rocket05"
))]
use crate::credential::request_head::RequestHead;
use crate::dependency::cache::{Cache, LocalCache};
use crate::dependency::context::{Extract, LocalContext, LocalExtract, Reject, SendContext};
use crate::dependency::shared::Shared;
use crate::refusal::rejection::Rejection;
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// The head of an `http` request as the context of a dependency.
pub struct Head<'a> {
    pub(crate) parts: &'a mut Parts,
}

/// A copy of the head of an `http` request, about which a plan is asked again.
#[cfg(feature = "live")]
#[doc(hidden)]
#[derive(Clone)]
pub struct HeadCopy {
    pub(crate) parts: Parts,
}

/// The head of an `http` request that stays on its thread.
pub struct LocalHead<'a> {
    pub(crate) parts: &'a mut Parts,
    pub(crate) cache: LocalCache,
}

/// Implements `Context` for the head of a request, whose refusal is a response with this body.
macro_rules! http_context {
    ([$($generics:tt)*] $context:ty, $body:ty) => {
        impl<$($generics)*> $crate::dependency::context::Context for $context {
            type Rejection = ::http::Response<$body>;

            type Head = ::http::request::Parts;

            fn head(&self) -> &Self::Head {
                &self.parts
            }

            fn respond(&self, response: ::http::Response<String>) -> Self::Rejection {
                response.map(Into::into)
            }

            fn refuse(&self, rejection: $crate::refusal::rejection::Rejection) -> Self::Rejection {
                rejection.into_http_response()
            }

            fn status(refusal: &Self::Rejection) -> Option<u16> {
                Some(refusal.status().as_u16())
            }

            fn closing(&self, mut refusal: Self::Rejection) -> Self::Rejection {
                $crate::refusal::unread_body::announce_close(refusal.headers_mut());
                refusal
            }

            fn completed(
                &self,
                mut refusal: Self::Rejection,
                completion: $crate::refusal::completion::Completion,
            ) -> Self::Rejection {
                completion.add_to(refusal.status(), refusal.headers_mut());
                refusal
            }

            #[cfg(feature = "testing")]
            fn overrides(&self) -> Option<&$crate::dependency::overrides::Overrides> {
                self.parts.extensions.get()
            }

            fn copied_head(&self) -> Self::Head {
                $crate::credential::sent_head::as_sent(self.parts.clone())
            }

            fn note_proofs(&mut self) {
                let extensions = &mut self.parts.extensions;
                extensions.get_or_insert_default::<$crate::credential::presented::Proved>();
            }
        }
    };
}

#[cfg(any(feature = "axum08", feature = "tonic014"))]
pub(crate) use http_context;

macro_rules! context {
    ($head:ty) => {
        http_context!([] $head, String);

        impl<E: Into<Response<String>>> Reject<E> for $head {
            fn reject(&mut self, error: E) -> Response<String> {
                error.into()
            }
        }
    };
}

/// Implements the context of a family whose futures can move between threads.
macro_rules! send_context {
    ($head:ty) => {
        context!($head);

        impl SendContext for $head {
            fn cache(&mut self) -> &mut Cache {
                Cache::in_extensions(&mut self.parts)
            }
        }

        impl<T: FromHead + Send> Extract<T> for $head {
            fn extract(
                &mut self,
                _name: &'static str,
            ) -> impl Future<Output = Result<T, Response<String>>> + Send {
                ready(T::from_head(&mut self.parts).map_err(Into::into))
            }
        }
    };
}

send_context!(Head<'_>);
context!(LocalHead<'_>);
#[cfg(feature = "live")]
send_context!(HeadCopy);

debug_only!([] Head<'_> {});
debug_only!([] LocalHead<'_> {});
#[cfg(feature = "live")]
debug_only!([] HeadCopy {});

impl LocalContext for LocalHead<'_> {
    fn cache(&mut self) -> &mut LocalCache {
        &mut self.cache
    }
}

impl<T: FromHead> LocalExtract<T> for LocalHead<'_> {
    fn extract(
        &mut self,
        _name: &'static str,
    ) -> impl Future<Output = Result<T, Response<String>>> {
        ready(T::from_head(self.parts).map_err(Into::into))
    }
}

/// A parameter of a dependency that can be extracted from the head of an `http` request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be extracted from the head of an `http` request",
    label = "not extracted from a request's head",
    note = "implement `FromHead` for it (`type Rejection = doorward::Rejection`), or put the value into the request's extensions and take `FromExtensions<{Self}>`; for an extractor of a framework, such as axum's `State`, write a `#[secured]` middleware function instead of a layer"
)]
pub trait FromHead: Sized {
    /// The response to a request that does not have the value.
    type Rejection: Into<Response<String>>;

    /// Extracts the value.
    ///
    /// # Errors
    ///
    /// Returns the response to send if the request does not have the value.
    fn from_head(head: &mut Parts) -> Result<Self, Self::Rejection>;
}

/// A value that a surrounding service, middleware or layer has put into the request: an extractor of
/// every framework. It is taken from the extensions of the request; on rocket, from its local cache,
/// in an `Option`, and on salvo from the depot too, by its type. Without it, the answer is a `500`.
#[derive(Clone, Copy, Debug)]
pub struct FromExtensions<T>(
    /// The value.
    pub T,
);

impl<T: Clone + Send + Sync + 'static> FromExtensions<T> {
    /// Takes the value, if it is there.
    pub(crate) fn found(value: Option<T>) -> Result<Self, Rejection> {
        value.map(Self).ok_or_else(|| {
            trace::extension_not_there(type_name::<T>());
            Rejection::INTERNAL_SERVER_ERROR
        })
    }

    #[cfg(any(
        feature = "actix-web4",
        feature = "axum08",
        feature = "poem3",
        feature = "rocket05"
    ))]
    pub(crate) fn of<H: RequestHead + ?Sized>(head: &H) -> Result<Self, Rejection> {
        Self::found(head.extension())
    }
}

impl<T: Clone + Send + Sync + 'static> FromHead for FromExtensions<T> {
    type Rejection = Rejection;

    fn from_head(head: &mut Parts) -> Result<Self, Rejection> {
        Self::found(head.extensions.get().cloned())
    }
}

impl<T: ?Sized + Send + Sync + 'static> FromHead for Shared<T> {
    type Rejection = Rejection;

    fn from_head(head: &mut Parts) -> Result<Self, Rejection> {
        Self::found(
            head.extensions.get(),
            "insert it into the request's extensions, outside of `layer!(…)`; on warp, call `security_with(plan, shared)`",
        )
    }
}

macro_rules! from_head {
    ($($field:ident: $ty:ty),*) => {$(
        impl FromHead for $ty {
            type Rejection = Rejection;

            fn from_head(head: &mut Parts) -> Result<Self, Rejection> {
                Ok(head.$field.clone())
            }
        }
    )*};
}

from_head!(method: Method, uri: Uri, version: Version, headers: HeaderMap);
