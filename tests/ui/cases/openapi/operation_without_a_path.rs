fn main() {
    let _ = tollgate::operation!();
    let _ = tollgate::operation!("handler");
}
