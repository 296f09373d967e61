use tollgate::{AuthorizationValue, BearerError, oauth2, oauth2_password_bearer, plan};

include!("../callers.rs");

#[oauth2]
struct Any;

#[one_of]
enum BearerBelowAnyAuthorization {
    #[security(Any)]
    Any(AuthorizationValue),
    #[security(user)]
    User(String),
}

#[one_of(cached)]
enum CachedButNotClone {
    #[security(user)]
    User(String),
}

#[one_of(cached, local)]
enum Local {
    #[security(user)]
    User(String),
}

#[secured]
async fn handler(#[security(CachedButNotClone)] caller: CachedButNotClone) {
    drop(caller);
}

#[one_of]
enum CfgOnAVariant {
    #[security(user)]
    User(String),
    #[cfg(test)]
    Anonymous,
}

#[secured]
async fn handler_cfg_on_a_variant(#[security(CfgOnAVariant)] caller: CfgOnAVariant) {
    drop(caller);
}

#[one_of]
enum Inner {
    #[security(user)]
    User(String),
    #[security(service)]
    Service(()),
}

#[one_of]
enum CoveredByANestedList {
    #[security(Inner)]
    Inner(Inner),
    #[security(Key)]
    Key(ApiKey),
}

#[one_of]
enum DependencyWithoutAValue {
    #[security(user)]
    User,
    Anonymous,
}

#[secured]
async fn without_a_value(#[security(DependencyWithoutAValue)] caller: DependencyWithoutAValue) {
    drop(caller);
}

#[dependency]
fn settings() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum EachAlternativeAtOnce {
    #[security(settings)]
    Settings(u32),
    #[security(user)]
    User(String),
    #[security(Token)]
    Token(BearerToken),
}

#[one_of]
enum ElidedLifetime {
    #[security(user)]
    User(&str),
}

#[one_of(cache)]
enum EveryMistakeAtOnce {
    User(String),
    #[cfg(test)]
    #[security(usr, scopes(1))]
    Other(String),
    #[security(service)]
    Service,
    Anonymous,
    Nobody,
}

#[secured]
async fn of_every_mistake(#[security(EveryMistakeAtOnce)] caller: EveryMistakeAtOnce) {
    drop(caller);
}

#[one_of]
enum Generic<T> {
    #[security(user)]
    User(T),
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(Key)]
    Key(ApiKey),
}

#[secured(Caller)]
async fn guard_with_a_bare_scheme() {}

#[one_of]
enum Visitor {
    #[security(user)]
    User(String),
    Anonymous,
}

#[secured(Visitor)]
async fn guard_with_an_empty_variant() {}

fn layer_with_an_empty_variant() {
    let _ = layer!(Visitor);
}

#[oauth2_password_bearer(
    token_url = "token",
    scopes("admin" implies("read") = "Everything.", "read" = "Read.")
)]
struct Ours;

#[api_key(header = "X-Partner-Key", scopes("read" = "Read."))]
struct Partner;

#[api_key(header = "X-Service-Key")]
struct Service;

#[one_of]
enum UserOrPartner {
    #[security(Ours)]
    User(BearerToken),
    #[security(Partner)]
    Partner(ApiKey),
}

#[dependency]
async fn caller(
    #[security(UserOrPartner)] caller: UserOrPartner,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    scopes.check(match &caller {
        UserOrPartner::User(token) => token.as_str(),
        UserOrPartner::Partner(key) => key.as_str(),
    })?;
    Ok(())
}

#[secured(caller, scopes("read"))]
async fn hierarchy_of_another_scheme() {}

#[one_of]
enum UserOrService {
    #[security(Ours)]
    User(BearerToken),
    #[security(Service)]
    Service(ApiKey),
}

#[dependency]
async fn user_or_service(
    #[security(UserOrService)] _caller: UserOrService,
    _scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Ok(())
}

#[dependency]
async fn above(
    #[security(user_or_service, scopes("read"))] _caller: (),
) {
}

fn plans() {
    let _ = plan!(caller, scopes("read"));
    let _ = layer!(above, scopes("read"));
}

#[http_bearer]
struct Api;

#[one_of]
enum LenientMisspelt {
    #[security(Api, leniant)]
    Token(BearerToken),
    Nobody,
}

#[secured]
async fn lenient_on_a_parameter(#[security(Api, lenient)] _token: BearerToken) {}

#[one_of]
enum NamedValue {
    #[security(user)]
    User { name: String },
}

#[secured]
async fn handler_named_value(#[security(NamedValue)] caller: NamedValue) {
    drop(caller);
}

#[one_of]
enum NamesItself {
    #[security(user)]
    User(String),
    #[security(NamesItself)]
    Again(Box<NamesItself>),
}

#[dependency]
fn both(#[security(Token)] _token: BearerToken, #[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[one_of]
enum NeedsACoveredCredential {
    #[security(service)]
    Service(()),
    #[security(both)]
    Both(()),
}

#[one_of]
enum NoAlternative {}

#[one_of]
enum Nobody {
    Anonymous,
}

struct Settings;

#[one_of]
enum NotADependency {
    #[security(Settings)]
    User(String),
}

#[dependency]
fn generic<T>(#[security(Token)] _token: BearerToken) -> Result<u32, Rejection> {
    Ok(1)
}

#[dependency]
fn broken(#[security(Token, scops("items"))] _token: BearerToken) -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum OfARejectedDependency {
    #[security(generic)]
    Generic(u32),
    #[security(broken)]
    Broken(u32),
}

#[secured]
async fn of_a_rejected_dependency(#[security(OfARejectedDependency)] caller: OfARejectedDependency) {
    drop(caller);
}

#[api_key(header = "x api key")]
struct One;

#[api_key]
struct Two;

#[one_of]
enum OfASchemeWithAMistake {
    #[security(user)]
    User(String),
    #[security(One)]
    One(ApiKey),
    #[security(Two)]
    Two(ApiKey),
}

#[secured]
async fn of_a_scheme_with_a_mistake(#[security(OfASchemeWithAMistake)] caller: OfASchemeWithAMistake) {
    drop(caller);
}

#[one_of]
fn on_a_function() {}

#[one_of]
struct OnAStruct {
    #[security(user)]
    user: String,
}

#[secured]
async fn handler_on_a_struct(#[security(OnAStruct)] caller: OnAStruct) {
    drop(caller);
}

#[one_of]
enum UserOrNobody {
    #[security(user)]
    User(String),
    Anonymous,
}

#[one_of]
enum RequiresAnOptionalList {
    #[security(UserOrNobody)]
    UserOrNobody(UserOrNobody),
}

#[http_bearer(auto_error = false)]
struct Optional;

#[one_of]
enum RequiresAnOptionalScheme {
    #[security(Optional)]
    User(Option<BearerToken>),
}

#[dependency]
fn constant() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum RequiresNoScheme {
    #[security(user)]
    User(String),
    #[security(constant)]
    Service(u32),
}

#[http_bearer]
struct Other;

#[dependency]
fn machine(#[security(Other)] token: BearerToken) -> Result<BearerToken, Rejection> {
    Ok(token)
}

#[one_of]
enum SameBearer {
    #[security(user)]
    User(String),
    #[security(machine)]
    Service(BearerToken),
}

#[api_key(header = "X-API-Key")]
struct SameKey;

#[one_of]
enum SameHeader {
    #[security(service)]
    Service(()),
    #[security(SameKey)]
    SameKey(ApiKey),
}

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
enum TooLong {
    #[security(Key)]
    Key(ApiKey),
    #[security(o)]
    Long(BearerToken),
}

#[one_of]
enum TwoDependencies {
    #[security(user)]
    #[security(service)]
    Both(String),
}

#[secured]
async fn handler_two_dependencies(#[security(TwoDependencies)] caller: TwoDependencies) {
    drop(caller);
}

#[one_of]
enum TwoDependenciesInOneAttribute {
    #[security(user, service)]
    Both(String),
}

#[secured]
async fn in_one_attribute(#[security(TwoDependenciesInOneAttribute)] caller: TwoDependenciesInOneAttribute) {
    drop(caller);
}

#[one_of]
enum TwoValues {
    #[security(user)]
    User(String, u32),
}

#[secured]
async fn handler_two_values(#[security(TwoValues)] caller: TwoValues) {
    drop(caller);
}

#[one_of]
enum TwoVariantsWithoutAValue {
    #[security(user)]
    User(String),
    Anonymous,
    Nobody,
}

#[secured]
async fn of_two_variants(#[security(TwoVariantsWithoutAValue)] caller: TwoVariantsWithoutAValue) {
    drop(caller);
}

#[one_of(cache)]
enum UnknownArgument {
    #[security(user)]
    User(String),
}

#[secured]
async fn handler_unknown_argument(#[security(UnknownArgument)] caller: UnknownArgument) {
    drop(caller);
}

#[one_of]
enum UnknownOption {
    #[security(user, unscopd)]
    User(String),
    #[security(service, unscoped, unscoped)]
    Service(()),
}

#[secured]
async fn handler_unknown_option(#[security(UnknownOption)] caller: UnknownOption) {
    drop(caller);
}

#[secured]
async fn unscoped_parameter(#[security(user, unscoped)] user: String) {
    drop(user);
}

#[secured(user, unscoped)]
async fn guard_unscoped_parameter() {}

#[dependency]
fn admin(#[security(user, unscoped)] user: String) -> Result<String, Rejection> {
    Ok(user)
}

#[one_of]
enum ValueWithoutADependency {
    User(String),
}

#[secured]
async fn of_a_value(#[security(ValueWithoutADependency)] caller: ValueWithoutADependency) {
    drop(caller);
}

#[one_of]
enum WithoutAPath {
    #[security]
    User(String),
}

#[secured]
async fn handler_without_a_path(#[security(WithoutAPath)] caller: WithoutAPath) {
    drop(caller);
}

#[one_of]
enum WrongType {
    #[security(user)]
    User(u32),
    #[security(service)]
    Service(Option<()>),
}

fn main() {}
