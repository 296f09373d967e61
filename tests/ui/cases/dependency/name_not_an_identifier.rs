use tollgate::dependency;

#[dependency(name = users::Current)]
fn current_user() -> u8 {
    1
}

fn main() {}
