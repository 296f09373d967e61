use tollgate::dependency;

#[dependency]
fn user(#[security(user)] user: String) -> String {
    user
}

fn main() {}
