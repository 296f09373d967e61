use tollgate::dependency;

#[dependency]
fn default<T: Default>() -> T {
    T::default()
}

fn main() {}
