use tollgate::dependency;

#[dependency(cache)]
fn current_user() -> u32 {
    1
}

fn main() {}
