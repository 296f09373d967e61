use tollgate::Grant;

#[derive(Grant)]
enum Grant {}

fn main() {}
