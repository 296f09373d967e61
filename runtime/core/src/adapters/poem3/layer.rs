//! A layer around an endpoint.

use poem::{Endpoint, Error, Middleware, Request};

use crate::adapters::poem3::Poem;
use crate::adapters::shared::security_service::SecurityService;
use crate::credential::presented::Proved;
use crate::dependency::layer::SecurityLayer;
#[cfg(feature = "testing")]
use crate::dependency::probe::refused_by_layer;
use crate::dependency::{Dependency, Resolve};

impl<E, D> Middleware<E> for SecurityLayer<D>
where
    E: Endpoint,
    D: Dependency<Output: Clone + Send + Sync> + for<'r> Resolve<'r, Poem<'r>, D::Output>,
{
    type Output = SecurityService<E, D>;

    fn transform(&self, endpoint: E) -> Self::Output {
        SecurityService::around(endpoint, self)
    }
}

impl<E, D> Endpoint for SecurityService<E, D>
where
    E: Endpoint,
    D: Dependency<Output: Clone + Send + Sync> + for<'r> Resolve<'r, Poem<'r>, D::Output>,
{
    type Output = E::Output;

    async fn call(&self, mut request: Request) -> Result<E::Output, Error> {
        // An extractor cannot put it there.
        request.extensions_mut().get_or_insert_default::<Proved>();
        let mut cx = Poem::of(&request);
        let resolved = self.layer.plan.resolve_in(&mut cx).await;
        #[cfg(feature = "testing")]
        if let Err(refusal) = &resolved {
            refused_by_layer(&request, Some(refusal.status().as_u16()));
        }
        let output = resolved?;
        let extensions = request.extensions_mut();
        self.layer.let_in(extensions);
        extensions.insert(output);
        self.inner.call(request).await
    }
}
