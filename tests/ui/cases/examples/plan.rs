use doorward::{layer, oauth2_password_bearer, plan};

fn user() {}

fn plain_function() {
    let _ = plan!(user);
    let _ = layer!(user);
}

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

fn unknown_scope() {
    let _ = plan!(OAuth2, scopes("itms"));
}

fn without_a_path() {
    let _ = plan!();
}

mod chain_too_long {
    use doorward::{Rejection, dependency, plan, secured};

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

    fn used() {
        let _ = plan!(p);
    }
}

mod too_many_dependencies {
    use doorward::{Rejection, dependency, secured};

    /// Each depends on the one above it twice, so that the last one runs the first a trillion times.
    macro_rules! diamonds {
        ($first:ident $($rest:ident)*) => {
            #[dependency]
            fn $first() -> Result<(), Rejection> {
                Ok(())
            }

            diamonds!(@below $first $($rest)*);
        };
        (@below $below:ident $name:ident $($rest:ident)*) => {
            #[dependency]
            fn $name(#[security($below)] _a: (), #[security($below)] _b: ()) -> Result<(), Rejection> {
                Ok(())
            }

            diamonds!(@below $name $($rest)*);
        };
        (@below $last:ident) => {};
    }

    diamonds!(a b c d e f g h i j k l m n o p q r s t u v w x y z a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1);

    #[secured(o1)]
    async fn handler() {}
}

fn main() {}
