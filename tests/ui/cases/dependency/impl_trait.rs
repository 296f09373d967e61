use tollgate::dependency;

#[dependency]
fn names() -> impl Iterator<Item = String> {
    std::iter::empty()
}

fn main() {}
