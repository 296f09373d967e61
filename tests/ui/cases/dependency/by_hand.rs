use tollgate::Dependency;

struct User;

impl Dependency for User {
    type Output = String;
}

fn main() {}
