include!("../../roles.rs");

fn plans(limit: u32) {
    let least = Role::Admin;
    let _ = tollgate::plan!(role(least, 4));
    let _ = tollgate::layer!(role(Role::Admin, limit));
}

fn main() {}
