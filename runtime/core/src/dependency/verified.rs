//! Schemes that verify their tokens: `#[http_bearer(verified = Claims)]`.

use core::future::pending;
use core::marker::PhantomData;

use http::header::WWW_AUTHENTICATE;

use crate::__both_families;
use crate::credential::Credential;
use crate::credential::bearer_token::BearerToken;
use crate::credential::presented::Presented;
use crate::dependency::context::{Context, Reject};
use crate::dependency::decision::cause;
use crate::dependency::fail_closed::checked;
use crate::dependency::fail_closed::refused;
#[cfg(feature = "live")]
use crate::dependency::live::asked::ExpiryOf;
use crate::dependency::own_error::OwnError;
use crate::dependency::recognised::Keep;
#[cfg(feature = "rmcp3")]
use crate::dependency::recognised::Recognised;
use crate::dependency::shared::Shared;
use crate::dependency::{Dependency, cast, extractor_refused, reject};
#[cfg(feature = "testing")]
use crate::dependency::{replaced_future, replaced_value};
use crate::plan::cursor::Cursor;
use crate::refusal::own_error::FromRefusal;
use crate::refusal::rejection::Rejection;
use crate::scheme::{self, Scheme};
use crate::verify::{Verified, Verify, VerifyError};

/// The credential of a scheme that verifies: a token, or an `Option` of one.
pub trait Verifiable: Credential {
    /// The value of the scheme, if the claims are a `T`.
    type Verified<T>;

    /// Returns the token, or the value of the scheme without one.
    ///
    /// # Errors
    ///
    /// Returns the value without a token.
    fn token<T>(self) -> Result<BearerToken, Self::Verified<T>>;

    /// Returns the value of the scheme for a token that was verified.
    fn verified<T>(verified: Verified<T>) -> Self::Verified<T>;
}

impl Verifiable for BearerToken {
    type Verified<T> = Verified<T>;

    fn token<T>(self) -> Result<BearerToken, Verified<T>> {
        Ok(self)
    }

    fn verified<T>(verified: Verified<T>) -> Verified<T> {
        verified
    }
}

impl Verifiable for Option<BearerToken> {
    type Verified<T> = Option<Verified<T>>;

    fn token<T>(self) -> Result<BearerToken, Option<Verified<T>>> {
        self.ok_or(None)
    }

    fn verified<T>(verified: Verified<T>) -> Option<Verified<T>> {
        Some(verified)
    }
}

/// The value of the scheme `S`, if the claims are a `T`.
pub type VerifiedBy<S, T> = <<S as Scheme>::Credential as Verifiable>::Verified<T>;

/// The name of the verifier where a refusal is recorded, as if it were a parameter.
const VERIFIER: &str = "verifier";

/// Resolves a scheme whose verifier is a `V`, which the service shares, and whose claims are a `T`.
/// If the verifier yields such claims, these inherent functions are found, and otherwise those of
/// [`NotVerifying`].
#[derive(Debug)]
pub struct Verifying<V, T>(PhantomData<fn() -> (V, T)>);

/// Like [`Verifying`], for a scheme that answers with an `E`.
#[derive(Debug)]
pub struct VerifyingAs<V, T, E, const CHALLENGES: bool>(
    PhantomData<(Verifying<V, T>, OwnError<E, CHALLENGES>)>,
);

/// Like [`Verifying`], in a context whose futures stay on their thread.
#[derive(Debug)]
pub struct LocalVerifying<V, T>(PhantomData<Verifying<V, T>>);

/// Like [`VerifyingAs`], in a context whose futures stay on their thread.
#[derive(Debug)]
pub struct LocalVerifyingAs<V, T, E, const CHALLENGES: bool>(
    PhantomData<VerifyingAs<V, T, E, CHALLENGES>>,
);

/// The body of the functions of [`Verifying`]. As a function, it would move the future of the
/// verifier once more. The three arms answer a request that the scheme, the extractor of the
/// verifier or the verifier refuses.
macro_rules! verified {
    (
        $scheme:ident, $cx:ident, $at:ident, $keep:ident,
        $rejection:ident => $reject:expr,
        $refusal:ident => $not_found:expr,
        $error:ident => $refuse:expr $(,)?
    ) => {{
        #[cfg(feature = "testing")]
        if let Some(value) = replaced_value::<$scheme, _, _>($cx) {
            return Ok(value);
        }
        #[cfg(feature = "testing")]
        if let Some(future) = replaced_future::<$scheme, _, _>($cx, $at) {
            // The value is not kept while an error type of the service is awaited.
            let $rejection = match future.await {
                Ok(value) => return Ok(value),
                Err(rejection) => rejection,
            };
            return Err($reject);
        }
        let credential = match scheme::authenticate::<$scheme, _>($cx.head()) {
            Ok(credential) => credential,
            Err($rejection) => return Err($reject),
        };
        let token = match credential.token::<T>() {
            Ok(token) => token,
            Err(absent) => return cast($cx, absent),
        };
        let verifier: Shared<V> = match $cx.extract(VERIFIER).await {
            Ok(verifier) => verifier,
            Err($refusal) => return Err($not_found),
        };
        if V::TAKES_DPOP {
            $cx.note_proofs();
        }
        let presented: Presented =
            if V::READS_REQUEST { Presented::of(token, $cx.copied_head()) } else { token.into() };
        #[cfg(feature = "rmcp3")]
        let recognised = Recognised::of($cx.head());
        #[cfg(feature = "rmcp3")]
        if let Some(recognised) = recognised {
            if let Some(known) =
                recognised.recall::<$scheme, V>(&verifier, &presented, $at.scopes())
            {
                note_expiry($cx, &known);
                return cast($cx, $scheme::Credential::verified(known));
            }
            return match verifier.verify(presented.clone(), $at.scopes()).await {
                Ok(verified) => {
                    let asked = $at.scopes();
                    recognised.keep::<$scheme, V>(&verifier, presented, asked, &verified, $keep);
                    note_expiry($cx, &verified);
                    cast($cx, $scheme::Credential::verified(verified))
                }
                Err($error) => Err($refuse),
            };
        }
        // Without rmcp, nothing is kept.
        let _ = $keep;
        match verifier.verify(presented, $at.scopes()).await {
            Ok(verified) => {
                note_expiry($cx, &verified);
                cast($cx, $scheme::Credential::verified(verified))
            }
            Err($error) => Err($refuse),
        }
    }};
}

/// Notes when a token expires, if the handler asks again then.
#[inline]
fn note_expiry<C: Context, T>(_cx: &C, _verified: &Verified<T>) {
    #[cfg(feature = "live")]
    <ExpiryOf<Verified<T>>>::note(_cx, _verified);
}

/// Returns the response to a token that the verifier refuses, and notes the refusal. It has the
/// challenge of the error, unless the scheme has none.
fn token_refused<S, C>(cx: &mut C, at: Cursor, error: VerifyError) -> C::Rejection
where
    S: Scheme + Dependency,
    C: Reject<VerifyError>,
{
    let reason = error.reason();
    let refusal = if const { S::CONFIG.has_challenge } {
        reject::<S, _, _>(cx, at, error)
    } else {
        let mut response = error.into_http_response();
        response.headers_mut().remove(WWW_AUTHENTICATE);
        checked(cx, cx.respond(response), None)
    };
    cause(S::NODE, at, Some(reason), None);
    refusal
}

__both_families! {
    impl<V: Verify<Claims = T> + 'static, T: 'static> __family::Verifying<V, T> {
        /// Resolves the scheme `S`.
        ///
        /// # Errors
        ///
        /// Returns the response that refuses the request.
        pub async fn verify<S, C, O: 'static>(
            cx: &mut C,
            at: Cursor,
            keep: Keep<T>,
        ) -> Result<O, C::Rejection>
        where
            S: Scheme<Credential: Verifiable<Verified<T>: 'static>> + Dependency,
            C: __family::Context + __family::Extract<Shared<V>> + Reject<VerifyError>,
        {
            verified!(
                S, cx, at, keep,
                rejection => refused::<S, _>(cx, at, rejection),
                refusal => extractor_refused::<S, _>(cx, at, VERIFIER, refusal),
                error => token_refused::<S, _>(cx, at, error),
            )
        }
    }

    impl<V, T, E, const CHALLENGES: bool> __family::VerifyingAs<V, T, E, CHALLENGES>
    where
        V: Verify<Claims = T> + 'static,
        T: 'static,
        E: FromRefusal,
    {
        /// Resolves the scheme `S`.
        ///
        /// # Errors
        ///
        /// Returns the response that refuses the request.
        pub async fn verify<S, C, O: 'static>(
            cx: &mut C,
            at: Cursor,
            keep: Keep<T>,
        ) -> Result<O, C::Rejection>
        where
            S: Scheme<Credential: Verifiable<Verified<T>: 'static>> + Dependency,
            C: __family::Context + __family::Extract<Shared<V>> + Reject<E>,
        {
            verified!(
                S, cx, at, keep,
                rejection => OwnError::<E, CHALLENGES>::refused::<S, C>(cx, at, rejection).await,
                refusal => {
                    drop(refusal);
                    let rejection = Rejection::INTERNAL_SERVER_ERROR;
                    OwnError::<E, CHALLENGES>::refused::<S, C>(cx, at, rejection).await
                },
                error => OwnError::<E, CHALLENGES>::answered::<S, C>(cx, at, error.into()).await,
            )
        }
    }

    impl<V, T> NotVerifying for __family::Verifying<V, T> {}

    impl<V, T, E, const CHALLENGES: bool> NotVerifying
        for __family::VerifyingAs<V, T, E, CHALLENGES>
    {
    }
}

/// The functions of [`Verifying`] and [`VerifyingAs`] for a verifier of other claims, or an error
/// that is not made from a refusal. The checks of the scheme report them, so none of them runs.
pub trait NotVerifying {
    /// Refuses the request.
    fn verify<S, C: Context, O>(
        _cx: &mut C,
        _at: Cursor,
        _keep: impl Sized,
    ) -> impl Future<Output = Result<O, C::Rejection>> + Send {
        pending()
    }
}
