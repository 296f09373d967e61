use tollgate::one_of;

#[one_of]
enum Caller {}

#[one_of]
enum Nobody {
    Anonymous,
}

fn main() {}
