//! A layer as a hoop.

use salvo_core::{Depot, FlowCtrl, Handler, Request, Response, Writer, async_trait};

use crate::adapters::salvo1::context::Salvo;
#[cfg(feature = "testing")]
use crate::dependency::context::Context as _;
use crate::dependency::layer::SecurityLayer;
#[cfg(feature = "testing")]
use crate::dependency::probe::refused_by_layer;
use crate::dependency::{Dependency, Resolve};

/// A `#[secured]` handler does the same only as a hoop of a router: in a service, salvo runs the
/// next hoop when no route matches.
#[async_trait]
impl<D> Handler for SecurityLayer<D>
where
    D: Dependency<Output: Send + Sync> + for<'a, 'r> Resolve<'r, Salvo<'a>, D::Output>,
{
    async fn handle(
        &self,
        request: &mut Request,
        depot: &mut Depot,
        response: &mut Response,
        ctrl: &mut FlowCtrl,
    ) {
        let mut cx = Salvo::of(request, depot);
        cx.cache.begin();
        match self.plan.resolve_in(&mut cx).await {
            Ok(output) => {
                cx.keep_cache();
                depot.insert_typed(output);
                self.let_in(request.extensions_mut());
            }
            Err(refusal) => {
                #[cfg(feature = "testing")]
                refused_by_layer(request, Salvo::status(&refusal));
                response.status_code = None;
                refusal.write(request, depot, response).await;
                ctrl.skip_rest();
            }
        }
    }
}
