use tollgate::dependency;

#[dependency]
struct CurrentUser;

fn main() {}
