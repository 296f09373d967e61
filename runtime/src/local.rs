//! Handlers in contexts whose extractors run at once: the first parameter resolves what all of them depend on, in order.

use core::any::Any;

use crate::context::LocalContext;
use crate::plan::Planned;

/// A handler, by the marker of its first parameter, in a context whose futures stay on their thread.
pub trait LocalHandler<'r, C: LocalContext>: Planned {
    /// Resolves what every parameter depends on: guards first, then parameters as written.
    fn resolve_all(cx: &mut C) -> impl Future<Output = Result<Outputs, C::Rejection>>;
}

/// A parameter of such a handler, by its marker.
pub trait LocalParameter {
    /// The marker of the handler's first parameter.
    type First: 'static;

    /// Its place among those that the handler's macro owns.
    const NUMBER: usize;
}

/// What the parameters of a handler depend on, resolved.
#[derive(Default)]
pub struct Outputs(Vec<Option<Box<dyn Any>>>);

impl Outputs {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the next parameter takes.
    pub fn push<T: 'static>(&mut self, output: T) {
        self.0.push(Some(Box::new(output)));
    }

    /// Takes what a parameter is for, once.
    pub fn take<T: 'static>(&mut self, number: usize) -> Option<T> {
        let output = self.0.get_mut(number)?.take()?;
        output.downcast().ok().map(|output| *output)
    }
}
