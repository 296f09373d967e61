use tollgate::open_id_connect;

const URL: &str = "";

#[open_id_connect(url = URL)]
struct Login;

fn main() {}
