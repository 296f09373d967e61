//! warp 0.4, which has filters instead of extractors: [`security`], [`form`],
//! [`client`], [`token_request`] and [`client_form`]. [`recover`] sends the response to a refused
//! request.

use core::convert::Infallible;
use core::fmt;
use core::future::ready;

use ::warp::filters::path::FullPath;
use ::warp::http::{HeaderMap, Method};
use ::warp::reject::{Reject, custom, not_found};
use ::warp::reply::{Reply, Response as WarpResponse};
use ::warp::{Filter, Rejection as WarpRejection, body, ext, header, method, path, query};
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http::{Extensions, HeaderValue, Request, Response, StatusCode};

use crate::adapters::shared::stream_body::StreamBody;
use crate::credential::client_certificate::ClientCertificate;
use crate::dependency::head::Head;
#[cfg(feature = "live")]
use crate::dependency::head::HeadCopy;
#[cfg(feature = "live")]
use crate::dependency::live::Live;
use crate::dependency::plan::Plan;
use crate::dependency::shared::Shared;
use crate::dependency::{Dependency, Resolve};
use crate::form::read::read_form;
use crate::form::{FormError, OwnedForm};
use crate::metadata::Metadata;
use crate::refusal::rejection::Rejection;
use crate::token_endpoint::read::read_client;
use crate::token_endpoint::{Client, ClientForm, TokenError, TokenRequest, TokenResponse};

/// The rejection of a refused request. [`recover`] sends the response.
struct Refused(Response<String>);

impl Reject for Refused {}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Refused({})", self.0.status())
    }
}

fn refused(response: impl Into<Response<String>>) -> WarpRejection {
    custom(Refused(response.into()))
}

/// Requires a dependency, and extracts its output:
/// `security(plan!(current_user, scopes("items")))`.
///
/// The dependency sees the head of the request: its method, path, query and headers. If the
/// dependency refuses the request, the filter rejects it, and [`recover`] sends the response. To
/// respond in the handler, use [`security_result`].
///
/// **Other routes**: after a rejection, warp tries the next route. If a route after `.or(…)`
/// matches, it serves the refused request. Recover the branch itself, as below, and not only all
/// routes at the end.
///
/// ```
/// use doorward::warp04::{recover, security};
/// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, plan};
/// use warp::Filter;
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[dependency]
/// fn current_user(#[security(OAuth2)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
///     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
/// }
///
/// let items = warp::path!("items")
///     .and(security(plan!(current_user, scopes("items"))))
///     .map(|user: String| format!("the items of {user}"))
///     .recover(recover);
/// let routes = items.or(warp::path!("ping").map(|| "pong"));
/// # let _ = warp::serve(routes);
/// ```
#[must_use]
pub fn security<D>(
    plan: Plan<D>,
) -> impl Filter<Extract = (D::Output,), Error = WarpRejection> + Clone
where
    D: Dependency<Output: Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    security_result(plan).and_then(|found: Result<D::Output, _>| ready(found.map_err(refused)))
}

/// Requires a dependency as [`security`] does, and extracts its output or the response that refuses
/// the request.
#[must_use]
pub fn security_result<D>(
    plan: Plan<D>,
) -> impl Filter<Extract = (Result<D::Output, Response<String>>,), Error = WarpRejection> + Clone
where
    D: Dependency<Output: Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    resolved(plan, |_| {})
}

/// Requires a dependency as [`security`] does. The dependency, and those below it, can take the
/// values: one [`Shared`], or several in an [`Extensions`].
///
/// ```
/// use http::Extensions;
/// use doorward::warp04::{recover, security_with};
/// use doorward::{BearerError, BearerToken, Shared, dependency, http_bearer, plan};
/// use warp::Filter;
///
/// #[http_bearer]
/// struct OAuth2;
///
/// struct Tokens(&'static str);
/// struct Users(&'static str);
///
/// #[dependency]
/// fn valid(#[security(OAuth2)] token: BearerToken, tokens: Shared<Tokens>) -> Result<(), BearerError> {
///     if token.as_str() == tokens.0 { Ok(()) } else { Err(BearerError::invalid_token()) }
/// }
///
/// #[dependency]
/// fn user(#[security(valid)] _valid: (), users: Shared<Users>) -> String {
///     users.0.to_owned()
/// }
///
/// let tokens = Shared::new(Tokens("t0k3n"));
/// let ping = warp::path!("ping").and(security_with(plan!(valid), tokens.clone())).map(|()| "pong");
///
/// let mut both = Extensions::from(tokens);
/// both.insert(Shared::new(Users("johndoe")));
/// let me = warp::path!("me").and(security_with(plan!(user), both)).map(|user: String| user);
///
/// let routes = ping.recover(recover).or(me.recover(recover));
/// # let _ = warp::serve(routes);
/// ```
#[must_use]
pub fn security_with<D>(
    plan: Plan<D>,
    shared: impl Into<Extensions>,
) -> impl Filter<Extract = (D::Output,), Error = WarpRejection> + Clone
where
    D: Dependency<Output: Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    security_with_result(plan, shared)
        .and_then(|found: Result<D::Output, _>| ready(found.map_err(refused)))
}

/// Requires a dependency as [`security_with`] does, and extracts its output or the response that
/// refuses the request.
#[must_use]
pub fn security_with_result<D>(
    plan: Plan<D>,
    shared: impl Into<Extensions>,
) -> impl Filter<Extract = (Result<D::Output, Response<String>>,), Error = WarpRejection> + Clone
where
    D: Dependency<Output: Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    let shared = shared.into();
    resolved(plan, move |extensions| extensions.extend(shared.clone()))
}

/// Requires a dependency as [`security_with`] does, and extracts its output and a [`Live`], which asks
/// the plan again: for a stream or a socket that ends with its token. Without values to share, write
/// `Extensions::new()`.
///
/// ```
/// use core::convert::Infallible;
///
/// use http::Extensions;
/// use doorward::live::Live;
/// use doorward::warp04::{recover, security_live};
/// use doorward::{BearerError, BearerToken, dependency, http_bearer, plan};
/// use warp::Filter;
/// use warp::sse::{Event, reply};
/// # struct News;
/// # impl futures_core::Stream for News {
/// #     type Item = Result<Event, Infallible>;
/// #     fn poll_next(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Option<Self::Item>> {
/// #         std::task::Poll::Ready(None)
/// #     }
/// # }
///
/// #[http_bearer]
/// struct Api;
///
/// #[dependency]
/// fn user(#[security(Api)] _token: BearerToken) -> Result<String, BearerError> {
///     Err(BearerError::invalid_token()) // rejects every token, until tokens are verified here
/// }
///
/// let events = warp::path!("events")
///     .and(security_live(plan!(user), Extensions::new()))
///     .map(|_user: String, live: Live| reply(live.around(News)))
///     .recover(recover);
/// # let _ = warp::serve(events);
/// ```
#[cfg(feature = "live")]
#[must_use]
pub fn security_live<D>(
    plan: Plan<D>,
    shared: impl Into<Extensions>,
) -> impl Filter<Extract = (D::Output, Live), Error = WarpRejection> + Clone
where
    D: Dependency<Output: Send>
        + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>
        + for<'r> Resolve<'r, HeadCopy, D::Output>,
{
    let shared = shared.into();
    parts()
        .and_then(move |method, path, query: String, headers, mut extensions: Extensions| {
            extensions.extend(shared.clone());
            async move {
                let head = head(method, &path, &query, headers, extensions);
                plan.resolve_live(&mut head.map_err(refused)?).await.map_err(refused)
            }
        })
        .untuple_one()
}

/// Resolves the dependency of a plan. `share` puts values into the extensions of the request.
fn resolved<D>(
    plan: Plan<D>,
    share: impl Fn(&mut Extensions) + Clone + Send + Sync + 'static,
) -> impl Filter<Extract = (Result<D::Output, Response<String>>,), Error = WarpRejection> + Clone
where
    D: Dependency<Output: Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    parts().then(move |method, path, query: String, headers, mut extensions| {
        share(&mut extensions);
        async move { plan.resolve(&mut head(method, &path, &query, headers, extensions)?).await }
    })
}

/// Extracts what a head is made of.
fn parts()
-> impl Filter<Extract = (Method, FullPath, String, HeaderMap, Extensions), Error = WarpRejection>
+ Clone {
    method()
        .and(path::full())
        .and(query::raw().or_else(async |_| Ok::<_, WarpRejection>((String::new(),))))
        .and(header::headers_cloned())
        .and(extensions())
}

/// Makes the head of a request, or refuses one that has none.
fn head(
    method: Method,
    path: &FullPath,
    query: &str,
    headers: HeaderMap,
    extensions: Extensions,
) -> Result<Parts, Rejection> {
    let mut uri = path.as_str().to_owned();
    if !query.is_empty() {
        uri = format!("{uri}?{query}");
    }
    let (mut head, ()) = Request::new(()).into_parts();
    head.uri = uri.try_into().map_err(|_| Rejection::new(StatusCode::BAD_REQUEST))?;
    head.method = method;
    head.headers = headers;
    head.extensions = extensions;
    Ok(head)
}

/// Puts a value into the extensions of every request of a [`security_with`].
impl<T: ?Sized + Send + Sync + 'static> From<Shared<T>> for Extensions {
    fn from(shared: Shared<T>) -> Self {
        let mut extensions = Self::new();
        extensions.insert(shared);
        extensions
    }
}

/// Extracts what dependencies see of the request's extensions, which warp does not show as a whole:
/// the certificate of the client, and the overrides of a test.
fn extensions() -> impl Filter<Extract = (Extensions,), Error = Infallible> + Clone {
    let found = ext::optional().map(|certificate: Option<ClientCertificate>| {
        let mut extensions = Extensions::new();
        if let Some(certificate) = certificate {
            extensions.insert(certificate);
        }
        extensions
    });
    #[cfg(feature = "testing")]
    let found = found.and(ext::optional()).map(
        |mut extensions: Extensions, overrides: Option<crate::dependency::overrides::Overrides>| {
            if let Some(overrides) = overrides {
                extensions.insert(overrides);
            }
            extensions
        },
    );
    found
}

/// Declares two filters for each extractor that reads the body: one rejects a request that it
/// refuses, and the other extracts the error.
macro_rules! body_filters {
    ($(
        $(#[$docs:meta])*
        $name:ident[$($generics:tt)*] $found:ty, $error:ty, $read:expr;
        $(#[$result_docs:meta])*
        $result:ident;
    )*) => {$(
        $(#[$docs])*
        #[must_use]
        pub fn $name<$($generics)*>()
        -> impl Filter<Extract = ($found,), Error = WarpRejection> + Clone {
            $result().and_then(|found: Result<$found, $error>| ready(found.map_err(refused)))
        }

        $(#[$result_docs])*
        #[must_use]
        pub fn $result<$($generics)*>()
        -> impl Filter<Extract = (Result<$found, $error>,), Error = WarpRejection> + Clone {
            header::headers_cloned()
                .and(body::stream())
                .then(|headers: HeaderMap, chunks| async move {
                    $read(&headers, announced(&headers, chunks)).await
                })
        }
    )*};
}

body_filters! {
    /// Reads a form from a request, up to the form's own `max_bytes`.
    ///
    /// If the body is not a valid form, the filter rejects the request, and [`recover`] sends the
    /// response. To respond in the handler, use [`form_result`].
    form[T: OwnedForm + Send] T, FormError, read_form;
    /// Reads a form from a request, and extracts it or the error.
    form_result;
    /// Extracts the credentials of a client, as the extractor `ClientAuthentication` does in other
    /// frameworks.
    ///
    /// If they are malformed or contradictory, the filter rejects the request, and [`recover`]
    /// sends the response. To respond in the handler, use [`client_result`].
    client[] Option<Client>, TokenError, read_client;
    /// Extracts the credentials of a client, or the error.
    client_result;
    /// Extracts a token request: the grant, and the credentials of its client.
    ///
    /// If the form is faulty, or the credentials are malformed or contradictory, the filter
    /// rejects the request, and [`recover`] sends the response.
    token_request[T: OwnedForm + Send] TokenRequest<T>, TokenError, TokenRequest::read;
    /// Extracts the same, or the error, to respond in the handler.
    token_request_result;
    /// Extracts a form without a grant, and the credentials of its client.
    ///
    /// If the form is faulty, or the credentials are malformed or contradictory, the filter
    /// rejects the request, and [`recover`] sends the response.
    client_form[T: OwnedForm + Send] ClientForm<T>, TokenError, ClientForm::read;
    /// Extracts the same, or the error, to respond in the handler.
    client_form_result;
}

/// Creates a body from chunks, with the length that the headers announce.
fn announced<S>(headers: &HeaderMap, chunks: S) -> StreamBody<S> {
    let length = headers.get(CONTENT_LENGTH).map(HeaderValue::as_bytes);
    StreamBody::new(chunks, length)
}

/// Sends the response to a request that a filter of this module rejected:
/// `route.recover(recover)`.
///
/// # Errors
///
/// Returns any other rejection unchanged.
pub async fn recover(rejection: WarpRejection) -> Result<WarpResponse, WarpRejection> {
    match rejection.find::<Refused>() {
        Some(Refused(response)) => Ok(response.clone().map(Into::into)),
        None => Err(rejection),
    }
}

/// Serves a metadata document at its path. Any other path is left to the next route.
#[must_use]
pub fn metadata(
    document: impl Metadata,
) -> impl Filter<Extract = (WarpResponse,), Error = WarpRejection> + Clone {
    method().and(path::full()).and_then(move |method: Method, path: FullPath| {
        let document = document.members();
        let response: Option<WarpResponse> = document.respond(method.as_str(), path.as_str());
        ready(response.ok_or_else(not_found))
    })
}

macro_rules! replies {
    ($($answer:ty),*) => {$(
        impl Reply for $answer {
            fn into_response(self) -> WarpResponse {
                self.into_http_response()
            }
        }
    )*};
}

each_refusal!(replies);
replies!(TokenResponse);
