use tollgate::open_id_connect;

#[open_id_connect]
struct Login;

fn main() {}
