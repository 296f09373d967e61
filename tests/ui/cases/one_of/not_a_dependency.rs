use tollgate::one_of;

struct Settings;

#[one_of]
enum Caller {
    #[security(Settings)]
    User(String),
}

fn main() {}
