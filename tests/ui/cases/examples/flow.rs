use doorward::oauth2;

#[oauth2(flows(pasword(token_url = "token")))]
struct Unknown;

#[oauth2(flows(password))]
struct WithoutAList;

fn main() {}
