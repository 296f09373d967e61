use tollgate::dependency;

struct SearchResult;

#[dependency]
fn search() -> SearchResult {
    SearchResult
}

fn main() {}
