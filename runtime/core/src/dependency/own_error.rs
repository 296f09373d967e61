//! Schemes that refuse in the service's own format: `#[http_bearer(error = ApiError)]`.

use core::future::pending;
use core::marker::PhantomData;

use crate::dependency::context::{Context, Reject};
use crate::dependency::decision::cause;
use crate::dependency::fail_closed::{checked, completed};
use crate::dependency::{Dependency, absent, cast};
#[cfg(feature = "testing")]
use crate::dependency::{replaced_future, replaced_value};
use crate::plan::cursor::Cursor;
use crate::refusal::completion::Completion;
use crate::refusal::own_error::{FromRefusal, RefusedRequest, StandardRefusal};
use crate::refusal::rejection::Rejection;
use crate::scheme::{self, Scheme};

/// Who answers for a scheme: an error type of the service, an `E`. `CHALLENGES` is `false` if its
/// responses have no challenge.
#[derive(Debug)]
pub struct OwnError<E, const CHALLENGES: bool>(PhantomData<fn() -> E>);

impl<E: FromRefusal, const CHALLENGES: bool> OwnError<E, CHALLENGES> {
    /// Resolves a scheme, or its replacement.
    ///
    /// # Errors
    ///
    /// Returns the response that refuses the request.
    pub async fn authenticate<S, C, T>(cx: &mut C, at: Cursor) -> Result<T, C::Rejection>
    where
        S: Scheme + Dependency,
        C: Context + Reject<E>,
        T: 'static,
    {
        #[cfg(feature = "testing")]
        if let Some(value) = replaced_value::<S, _, _>(cx) {
            return Ok(value);
        }
        #[cfg(feature = "testing")]
        if let Some(future) = replaced_future::<S, _, _>(cx, at) {
            let rejection = match future.await {
                Ok(value) => return Ok(value),
                Err(rejection) => rejection,
            };
            return Err(Self::refused::<S, C>(cx, at, rejection).await);
        }
        match scheme::authenticate::<S, _>(cx.head()) {
            Ok(credential) => cast(cx, credential),
            Err(rejection) => Err(Self::refused::<S, C>(cx, at, rejection).await),
        }
    }

    /// Refuses a request that has the credential of no alternative.
    pub async fn refuse_absent<D, C>(cx: &mut C, at: Cursor) -> C::Rejection
    where
        D: Dependency,
        C: Context + Reject<E>,
    {
        Self::refused::<D, C>(cx, at, absent::<D>()).await
    }

    /// Converts a rejection into the service's own response.
    pub(super) async fn refused<D, C>(cx: &mut C, at: Cursor, rejection: Rejection) -> C::Rejection
    where
        D: Dependency,
        C: Context + Reject<E>,
    {
        let rejection = completed(cx, at, rejection);
        Self::answered::<D, C>(cx, at, rejection.into()).await
    }

    /// Converts a refusal into the service's own response.
    pub(super) async fn answered<D, C>(
        cx: &mut C,
        at: Cursor,
        refusal: StandardRefusal,
    ) -> C::Rejection
    where
        D: Dependency,
        C: Context + Reject<E>,
    {
        let (headers, reason) = (refusal.headers(CHALLENGES), refusal.reason());
        let error = E::from_refusal(RefusedRequest::new(refusal, cx.copied_head())).await;
        // After the last wait, because the cause goes by the thread.
        cause(D::NODE, at, Some(reason), None);
        let answer = cx.reject(error);
        checked(cx, answer, Some(Completion::of_refusal(headers)))
    }
}

/// The functions of [`OwnError`] for a type that is not made from a refusal. The check of the
/// scheme reports it, so none of them runs.
pub trait NoOwnError {
    /// Refuses the request.
    fn authenticate<S, C: Context, T>(
        _cx: &mut C,
        _at: Cursor,
    ) -> impl Future<Output = Result<T, C::Rejection>> + Send {
        pending()
    }

    /// Refuses the request.
    fn refuse_absent<D, C: Context>(
        _cx: &mut C,
        _at: Cursor,
    ) -> impl Future<Output = C::Rejection> + Send {
        pending()
    }
}

impl<E, const CHALLENGES: bool> NoOwnError for OwnError<E, CHALLENGES> {}
