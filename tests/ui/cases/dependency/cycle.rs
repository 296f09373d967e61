use tollgate::dependency;

#[dependency]
fn first(#[security(second)] value: u32) -> u32 {
    value
}

#[dependency]
fn second(#[security(first)] value: u32) -> u32 {
    value
}

fn main() {}
