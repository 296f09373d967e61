use tollgate::public;

struct Health;

impl Health {
    #[public(reason = "load balancers ask it")]
    async fn get(&self) {}
}

fn main() {}
