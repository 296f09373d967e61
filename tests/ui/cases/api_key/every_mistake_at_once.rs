use tollgate::api_key;

#[api_key(header = "x api key", query = "", cross_site = "no", auto_eror = false)]
struct Key;

#[api_key(header = "x-api-key", query = "key", cross_site)]
struct Other;

fn main() {}
