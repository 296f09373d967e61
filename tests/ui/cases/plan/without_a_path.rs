use tollgate::plan;

fn f() {
    let _ = plan!();
}

fn main() {}
