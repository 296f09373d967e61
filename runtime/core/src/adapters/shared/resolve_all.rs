//! All that a secured method requires, in one call: the compiler checks each `await` of each method.

use crate::dependency::Resolve;
use crate::dependency::context::SendContext;
use crate::plan::cursor::Cursor;

/// The dependencies of a secured method, whose values are a `Ts`.
#[diagnostic::on_unimplemented(
    message = "these requirements of a method cannot be resolved from the head of a request",
    label = "at most eight guards and values, each from the head of a request alone"
)]
pub trait ResolveAll<C: SendContext, Ts, const COUNT: usize> {
    /// Resolves them in order.
    fn resolve(
        cx: &mut C,
        at: [Cursor; COUNT],
    ) -> impl Future<Output = Result<Ts, C::Rejection>> + Send;
}

macro_rules! resolve_all {
    ($($count:literal: $($d:ident $t:ident $at:ident),*;)*) => {$(
        impl<C: SendContext, $($d, $t: Send),*> ResolveAll<C, ($($t,)*), $count> for ($($d,)*)
        where
            $($d: for<'r> Resolve<'r, C, $t>,)*
        {
            async fn resolve(
                cx: &mut C,
                [$($at),*]: [Cursor; $count],
            ) -> Result<($($t,)*), C::Rejection> {
                Ok(($($d::resolve(cx, $at).await?,)*))
            }
        }
    )*};
}

resolve_all! {
    1: D0 T0 at0;
    2: D0 T0 at0, D1 T1 at1;
    3: D0 T0 at0, D1 T1 at1, D2 T2 at2;
    4: D0 T0 at0, D1 T1 at1, D2 T2 at2, D3 T3 at3;
    5: D0 T0 at0, D1 T1 at1, D2 T2 at2, D3 T3 at3, D4 T4 at4;
    6: D0 T0 at0, D1 T1 at1, D2 T2 at2, D3 T3 at3, D4 T4 at4, D5 T5 at5;
    7: D0 T0 at0, D1 T1 at1, D2 T2 at2, D3 T3 at3, D4 T4 at4, D5 T5 at5, D6 T6 at6;
    8: D0 T0 at0, D1 T1 at1, D2 T2 at2, D3 T3 at3, D4 T4 at4, D5 T5 at5, D6 T6 at6, D7 T7 at7;
}
