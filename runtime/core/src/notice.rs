//! Says on stderr what a service has to mend, in debug builds only: without the feature `tracing`,
//! a developer would see nothing but a `500`.

use core::fmt;

/// Writes a line to stderr, once for each text. Does nothing in a release build.
///
/// `eprintln!` would panic if stderr is closed.
#[cfg(debug_assertions)]
pub(crate) fn once(text: fmt::Arguments<'_>) {
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::sync::{Mutex, PoisonError};

    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

    let text = text.to_string();
    let line = format!("doorward: {text}\n");
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(text) {
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// Does nothing in a release build.
#[cfg(not(debug_assertions))]
pub(crate) fn once(_text: fmt::Arguments<'_>) {}
