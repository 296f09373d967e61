include!("../../callers.rs");

macro_rules! chain {
    ($below:ident $name:ident $($rest:ident)*) => {
        #[dependency]
        fn $name(#[security($below)] token: BearerToken) -> Result<BearerToken, Rejection> {
            Ok(token)
        }

        chain!($name $($rest)*);
    };
    ($last:ident) => {};
}

chain!(Token a b c d e f g h i j k l m n o);

#[one_of]
enum Caller {
    #[security(Key)]
    Key(ApiKey),
    #[security(o)]
    Long(BearerToken),
}

fn main() {}
