fn main() {
    let _ = tollgate::layer!();
}
