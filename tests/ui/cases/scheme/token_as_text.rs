use tollgate::BearerToken;

fn log(token: &BearerToken) {
    println!("{token}");
}

fn main() {}
