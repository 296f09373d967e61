use tollgate::one_of;

#[one_of]
fn caller() {}

fn main() {}
