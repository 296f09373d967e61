use tollgate::open_id_connect;

#[open_id_connect(url = "")]
struct Login;

fn main() {}
