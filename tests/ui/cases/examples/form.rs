use std::borrow::Cow;

use doorward::{Grant, PasswordForm, PasswordRequestForm, RequestForm};
use doorward::form::{FormBody, FormError, RequestForm as _};
use doorward::token_endpoint::RefreshTokenGrant;

#[derive(PasswordRequestForm)]
#[password_form(strict, strict)]
struct ArgumentGivenTwice {
    username: String,
    password: String,
}

#[derive(RequestForm)]
#[password_form(max_bytes = 1024)]
struct AttributeOfTheOtherDerive {
    code: u32,
}

#[derive(PasswordRequestForm)]
#[password_form = "strict"]
struct AttributeWithoutAList {
    username: String,
    password: String,
}

#[derive(PasswordRequestForm)]
struct BorrowedStr<'a> {
    username: &'a str,
    password: String,
}

#[derive(PasswordRequestForm)]
struct Borrowing<'a> {
    username: Cow<'a, str>,
    password: String,
}

async fn borrowing_form_as_an_owned_one(_: PasswordForm<Borrowing<'_>>) {}

#[derive(RequestForm)]
#[request_form(grant_type = "")]
struct EmptyGrantType {
    code: u32,
}

#[derive(PasswordRequestForm)]
struct EmptyName {
    username: String,
    password: String,
    #[password_form(rename = "")]
    otp: String,
}

#[derive(RequestForm)]
struct AliasesThatAreTaken {
    #[request_form(alias = "device_type", alias = "Device_Type", alias = "")]
    device: Option<u32>,
    #[request_form(alias = "client_id", alias = "DEVICE")]
    app: Option<String>,
    #[request_form(alias = "client_id", alias = "clientid")]
    client_id: Option<String>,
}

#[derive(PasswordRequestForm)]
enum Enumeration {}

#[derive(PasswordRequestForm)]
#[password_form(strikt, max_bytes = 0)]
struct EveryMistakeAtOnce {
    #[password_form(rename = "user")]
    username: String,
    scope: String,
    #[password_form(rename = "")]
    otp: String,
}

#[derive(RequestForm)]
struct FieldForAGrantTypeWithoutOne {
    grant_type: String,
    code: u32,
}

#[derive(PasswordRequestForm)]
struct FieldNamedScope {
    username: String,
    password: String,
    scope: String,
}

#[derive(PasswordRequestForm)]
struct FromOfAnotherType {
    #[password_form(from = String)]
    username: String,
    password: String,
}

#[derive(PasswordRequestForm)]
#[password_form(grant_type = "password")]
struct GrantTypeOfAPasswordForm {
    username: String,
    password: String,
}

const LIMIT: u8 = 1;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = LIMIT)]
struct MaxBytesConstantOfAnotherType {
    username: String,
    password: String,
}

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = 0)]
struct MaxBytesOf0 {
    username: String,
    password: String,
}

const NOTHING: usize = 0;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = NOTHING)]
struct MaxBytesOf0InAConstant {
    username: String,
    password: String,
}

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = "64k")]
struct MaxBytesOfAnotherType {
    username: String,
    password: String,
}

#[derive(PasswordRequestForm)]
struct NameNotALiteral {
    username: String,
    password: String,
    #[password_form(rename = OTP)]
    otp: String,
}

#[derive(RequestForm)]
#[request_form(schema_name = "one time")]
struct NameOfASchema {
    code: String,
}

#[derive(RequestForm)]
struct Größe {
    code: String,
}

#[derive(Grant)]
#[grant(schema_name = "")]
enum Unnamed {
    RefreshToken(RefreshTokenGrant),
}

struct UserName(String);

#[derive(PasswordRequestForm)]
struct NewtypeWithoutTryFrom {
    #[password_form(from)]
    username: UserName,
    password: String,
}

struct Login {
    username: String,
}

async fn not_derived(_: PasswordForm<Login>) {}

fn decode(body: &FormBody) {
    let _ = body.decode::<Login>();
}

#[derive(PasswordRequestForm)]
struct OwnFieldFromAnotherType {
    username: String,
    password: String,
    #[password_form(from)]
    otp: String,
}

struct Otp;

#[derive(PasswordRequestForm)]
struct OwnFieldNotDeserialize {
    username: String,
    password: String,
    otp: Otp,
}

#[derive(PasswordRequestForm)]
struct RejectedButUsed {
    username: String,
}

async fn token(form: PasswordForm<RejectedButUsed>) -> String {
    form.0.username
}

fn rejected_but_used() -> Result<(), FormError> {
    let _: axum::Router = axum::Router::new().route("/token", axum::routing::post(token));
    RejectedButUsed::decode(b"username=a").map(drop)
}

#[derive(PasswordRequestForm)]
struct RenamedToAStandardParameter {
    username: String,
    password: String,
    #[password_form(rename = "client_id")]
    app: String,
}

#[derive(PasswordRequestForm)]
struct ScopesNotACollection {
    username: String,
    password: String,
    scopes: String,
}

#[derive(PasswordRequestForm)]
struct ScopesOfAnotherType {
    username: String,
    password: String,
    scopes: Vec<u32>,
}

#[derive(PasswordRequestForm)]
struct ScopesWithAParameter {
    username: String,
    password: String,
    #[password_form(from)]
    scopes: Vec<String>,
}

#[derive(PasswordRequestForm)]
struct StandardFieldNotFromText {
    username: u32,
    password: String,
}

#[derive(PasswordRequestForm)]
struct StandardFieldRenamed {
    #[password_form(rename = "user")]
    username: String,
    password: String,
}

#[derive(RequestForm)]
#[request_form(grant_type = "urn:example:otp", strict)]
struct StrictFormOfAnotherGrant {
    code: u32,
}

#[derive(PasswordRequestForm)]
#[password_form(max_bytes: 1)]
struct Syntax {
    username: String,
    password: String,
}

#[derive(PasswordRequestForm)]
struct TupleStruct(String, String);

#[derive(PasswordRequestForm)]
struct TwoFieldsForOneName {
    username: String,
    password: String,
    otp: String,
    #[password_form(rename = "otp")]
    one_time_password: String,
}

#[derive(PasswordRequestForm)]
struct TypeParameter<T> {
    username: String,
    password: T,
}

#[derive(PasswordRequestForm)]
struct WithoutUsernameAndPassword {
    otp: String,
}

fn main() {}
