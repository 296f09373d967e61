use tollgate::{Rejection, dependency, plan, secured};

macro_rules! chain {
    ($first:ident $($rest:ident)*) => {
        #[dependency]
        fn $first() -> Result<(), Rejection> {
            Ok(())
        }

        chain!(@below $first $($rest)*);
    };
    (@below $below:ident $name:ident $($rest:ident)*) => {
        #[dependency]
        fn $name(#[security($below)] _below: ()) -> Result<(), Rejection> {
            Ok(())
        }

        chain!(@below $name $($rest)*);
    };
    (@below $last:ident) => {};
}

chain!(a b c d e f g h i j k l m n o p);

#[secured(o)]
async fn longest() {}

#[secured(p)]
async fn longer() {}

fn main() {
    let _ = plan!(p);
}
