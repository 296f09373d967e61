//! Counts the instructions and allocations of pieces of work. The program runs itself under
//! valgrind's callgrind, which counts only inside one function and writes a profile after each
//! call.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use doorward_benches::ROUNDS;

/// The cost of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) instructions: u64,
    pub(crate) allocations: u64,
}

/// A piece of work.
pub(crate) type Work<'a> = &'a dyn Fn();

const BELOW_CALLGRIND: &str = "DOORWARD_BELOW_CALLGRIND";

/// Measures each piece of work, in order, in a process of this name. Under callgrind, the process
/// of another name returns nothing, and that of this name does the work and never returns.
pub(crate) fn measure(name: &str, works: &[Work<'_>]) -> Vec<Cost> {
    if let Some(below) = env::var_os(BELOW_CALLGRIND) {
        if below != name {
            return Vec::new();
        }
        for _round in 0..ROUNDS {
            measured(&|| ());
            works.iter().for_each(|work| measured(work));
        }
        std::process::exit(0);
    }
    let profiles = env::temp_dir().join(format!("doorward-instructions-{}", std::process::id()));
    fs::create_dir_all(&profiles).expect("a directory for the profiles");
    run(name, &profiles.join("profile"));
    // Each round begins with the empty piece.
    let round = works.len() + 1;
    let cost_of = |piece: usize| {
        let costs = (1..ROUNDS).map(|number| {
            let profile = profiles.join(format!("profile.{}", number * round + piece));
            cost(&fs::read_to_string(profile).expect("a profile for each piece of work"))
        });
        costs.min_by_key(|cost| cost.instructions).expect("more than one round")
    };
    // Its cost is the overhead of the measurement.
    let empty = cost_of(1).instructions;
    let costs = (2..=round).map(cost_of);
    let costs =
        costs.map(|cost| Cost { instructions: cost.instructions - empty, ..cost }).collect();
    fs::remove_dir_all(&profiles).expect("the profiles are removed");
    costs
}

/// The function that callgrind measures. It does not end in a tail call, so callgrind sees it
/// return.
#[inline(never)]
fn measured(work: Work<'_>) {
    black_box(work)();
    black_box(());
}

fn run(name: &str, profile: &Path) {
    let function = concat!(module_path!(), "::measured");
    let option = |name: &str, value: &OsStr| {
        let mut option = std::ffi::OsString::from(name);
        option.push(value);
        option
    };
    let status = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--compress-pos=no", "--compress-strings=no"])
        .arg("--collect-atstart=no")
        .arg(option("--toggle-collect=", function.as_ref()))
        .arg(option("--zero-before=", function.as_ref()))
        .arg(option("--dump-after=", function.as_ref()))
        .arg(option("--callgrind-out-file=", profile.as_ref()))
        .arg(env::current_exe().expect("the program's own path"))
        .env(BELOW_CALLGRIND, name)
        // Bind symbols before the first piece, not during it.
        .env("LD_BIND_NOW", "1")
        .stdout(Stdio::null())
        .status()
        .expect("valgrind is installed");
    assert!(status.success(), "the program fails below callgrind");
}

/// Reads the total and the calls of allocating functions from a profile.
fn cost(profile: &str) -> Cost {
    let mut instructions = 0;
    let mut calls = HashMap::<&str, u64>::new();
    let mut called = "";
    for line in profile.lines() {
        if let Some(total) = line.strip_prefix("totals: ") {
            instructions = total.trim().parse().expect("a count");
        } else if let Some(function) = line.strip_prefix("cfn=") {
            called = function;
        } else if let Some(count) = line.strip_prefix("calls=") {
            let count = count.split(' ').next().unwrap_or_default();
            *calls.entry(called).or_default() += count.parse::<u64>().expect("a count");
        }
    }
    let allocations = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]
        .iter()
        .filter_map(|function| calls.get(function))
        .sum();
    Cost { instructions, allocations }
}
