use tollgate::dependency;

struct Users;

impl Users {
    #[dependency]
    fn current(&self) -> u32 {
        1
    }
}

fn main() {}
