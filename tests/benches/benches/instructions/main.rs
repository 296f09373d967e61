//! Counts the instructions and allocations of finding a token or a key, reading a form and reading
//! scopes, next to those of peers. Checks the bars, and fails if one is missed. Needs valgrind.

mod bars;
mod callgrind;
mod table;

use doorward_benches::{
    adapters, api_key, bearer, decisions, form, grants, growth, requests, scopes, verified,
};

use crate::table::Table;

fn main() {
    let bearer = Table::new("Bearer", &bearer::ALL, bearer::inputs());
    let api_key = Table::new("API key", &api_key::ALL, api_key::inputs());
    let adapters = Table::new("Extractors", &adapters::ALL, bearer::inputs());
    let form = Table::new("Form", &form::ALL, form::inputs());
    let ordinary = Table::new("Ordinary forms", &form::ALL, form::ordinary());
    let grants = Table::new("Grants", &grants::ALL, grants::inputs());
    let growth = Table::new("Growth of a form", &growth::ALL, growth::inputs());
    let scopes = Table::new("Scopes", &scopes::ALL, scopes::inputs());
    let verified = Table::new("Verified", &verified::ALL, verified::inputs());
    let unheard = Table::new("Decisions", &decisions::UNHEARD, decisions::inputs());
    let heard = Table::new("Decisions, heard", &decisions::HEARD, decisions::inputs());

    let tables = table::measure(
        "unheard",
        [bearer, api_key, adapters, form, ordinary, grants, growth, scopes, verified, unheard],
    );
    // Apart, because what its servers allocate would change what the C library's `malloc` costs above.
    let requests = Table::new("Whole requests", &requests::ALL, requests::inputs());
    let [requests] = table::measure("requests", [requests]);
    // Alone, because tracing never forgets that somebody has listened.
    let [heard] = table::measure("heard", [heard]);
    for table in tables.iter().chain([&requests, &heard]) {
        println!("{table}");
    }
    let missed = bars::missed(&tables, &requests, &heard);
    if missed > 0 {
        println!("{missed} bars are missed");
        std::process::exit(1);
    }
}
