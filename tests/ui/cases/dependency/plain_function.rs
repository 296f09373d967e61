use tollgate::dependency;

fn current_user() -> u32 {
    1
}

#[dependency]
fn active_user(#[security(current_user)] user: u32) -> u32 {
    user
}

fn main() {}
