use tollgate::api_key;
use tollgate::scheme::Refusal;

struct ApiError;

impl From<Refusal> for ApiError {
    fn from(_: Refusal) -> Self {
        Self
    }
}

#[api_key(header = "x-key", error = ApiError)]
struct Key;

fn main() {}
