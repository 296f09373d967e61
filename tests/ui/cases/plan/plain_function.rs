use tollgate::{layer, plan};

fn user() {}

fn main() {
    let _ = plan!(user);
    let _ = layer!(user);
}
