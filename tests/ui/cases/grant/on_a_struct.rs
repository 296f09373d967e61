use tollgate::Grant;

#[derive(Grant)]
struct Refresh {
    refresh_token: String,
}

fn main() {}
