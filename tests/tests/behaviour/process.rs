//! A test's part that needs a process of its own, because it reads or writes what belongs to one:
//! its streams, and values that are set once.

use std::env;
use std::process::Command;

const MARK: &str = "DOORWARD_OWN_PROCESS";

/// Returns the command that runs one test of this program, and nothing else, in another process.
pub(crate) fn of(test: &str) -> Command {
    let tests = env::current_exe().expect("the program's own path");
    let mut process = Command::new(tests);
    process.args(["--exact", test, "--nocapture"]).env(MARK, test);
    process
}

/// Whether the running process was made by [`of`]. The test that needs one ends early elsewhere.
pub(crate) fn is_its_own() -> bool {
    env::var_os(MARK).is_some()
}
