use doorward::{Grant, RequestForm};
use doorward::form::{FormError, RequestForm as _};
use doorward::token_endpoint::{
    ClientCredentialsGrant, RefreshTokenGrant, RevocationForm, TokenRequest,
};

#[derive(Grant)]
#[grant(grant_type = "refresh_token", max_bytes = 1024)]
enum ArgumentOfAVariantOnTheEnum {
    RefreshToken(RefreshTokenGrant),
}

#[derive(Grant)]
enum Inner {
    RefreshToken(RefreshTokenGrant),
}

#[derive(Grant)]
enum EnumInAnEnum {
    #[grant("inner")]
    Inner(Inner),
}

#[derive(Grant)]
enum FormOfAnotherGrant {
    #[grant("refresh")]
    RefreshToken(RefreshTokenGrant),
}

#[derive(RequestForm)]
struct OneTime {
    code: u32,
}

#[derive(Grant)]
enum FormWithoutAGrantType {
    OneTime(OneTime),
    Revocation(RevocationForm),
}

const OTP: &str = "urn:example:otp";

#[derive(Grant)]
enum GrantNotALiteral {
    #[grant(OTP)]
    OneTime(OneTime),
    #[grant = "urn:example:otp"]
    Named(OneTime),
    #[grant("")]
    Empty(OneTime),
    #[grant]
    Bare(OneTime),
}

struct Login {
    username: String,
}

#[derive(Grant)]
enum NotAForm {
    #[grant("password")]
    Login(Login),
}

async fn token(TokenRequest { client: _, grant: _ }: TokenRequest<NotAForm>) {}

#[derive(Grant)]
struct OnAStruct {
    refresh_token: String,
}

#[derive(Grant)]
enum RejectedButUsed {
    Password,
    RefreshToken(RefreshTokenGrant),
}

fn read(body: &[u8]) -> Result<RejectedButUsed, FormError> {
    RejectedButUsed::decode(body)
}

#[derive(RequestForm)]
#[request_form(grant_type = "refresh_token")]
struct Refresh {
    refresh_token: String,
}

#[derive(Grant)]
enum SameGrantTwice {
    RefreshToken(RefreshTokenGrant),
    Own(Refresh),
}

#[derive(Grant)]
enum TwoGrantTypes {
    #[grant("urn:example:otp")]
    #[grant("urn:example:sms")]
    OneTime(OneTime),
}

#[derive(Grant)]
enum TypeParameter<T> {
    Own(T),
}

#[derive(Grant)]
enum VariantWithoutAForm {
    Password,
    RefreshToken(RefreshTokenGrant, String),
    ClientCredentials { form: ClientCredentialsGrant },
}

#[derive(Grant)]
enum WithoutGrants {}

fn main() {}
