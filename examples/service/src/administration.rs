//! Clients, keys and accounts: the commands of operators, and the first start.

use std::io::{Write, stdout};

use clap::{Subcommand, ValueEnum, builder::PossibleValuesParser};
use doorward::secrecy::{ExposeSecret, SecretString};

use crate::accounts::is_name;
use crate::database::{Connection, Database};
use crate::scopes::{Login, OF_ACCOUNTS, OF_ADMINS};
use crate::signing::{OVERLAP, new_key};
use crate::{error::Result, health::can_sign, logins, passwords, secrets};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Add a client, a key or an account, and print its secret
    #[command(subcommand)]
    Add(New),
    /// List clients, keys or accounts
    List { what: Kind },
    /// Revoke a client, a key or an account, with its logins and tokens
    Revoke { what: Kind, name: String },
    /// Print a new password for an account, and end its logins
    Password { name: String },
}

#[derive(Subcommand)]
pub(crate) enum New {
    /// A client that gets tokens
    Client {
        #[arg(value_parser = name)]
        id: String,
        #[arg(long, required = true, value_delimiter = ' ', value_parser = GRANTS)]
        grants: Vec<String>,
        #[arg(long, required = true, value_delimiter = ' ',
            value_parser = PossibleValuesParser::from(OF_ACCOUNTS.iter().chain(&OF_ADMINS)))]
        scopes: Vec<String>,
        /// It has no secret, because it runs where it cannot keep one
        #[arg(long)]
        public: bool,
    },
    /// The API key of a job
    Key {
        #[arg(value_parser = name)]
        name: String,
        #[arg(long, required = true, value_delimiter = ' ', value_parser = ["maintenance"])]
        scopes: Vec<String>,
    },
    /// An account
    Account {
        #[arg(value_parser = name)]
        name: String,
        #[arg(long)]
        admin: bool,
    },
}

#[derive(Clone, ValueEnum)]
pub(crate) enum Kind {
    Client,
    Key,
    Account,
}

const GRANTS: [&str; 3] = ["password", "refresh_token", "client_credentials"];

fn name(text: &str) -> Result<String, &'static str> {
    let name = is_name(text).then(|| text.to_owned());
    name.ok_or("it has 1 to 32 of a-z, 0-9, - and _")
}

/// Runs the command, and prints the secret, the list or the name.
pub(crate) async fn run(command: Command, db: &Database) -> Result<()> {
    if can_sign(db).await?.is_none() {
        return Err("the database is empty: start the service first".into());
    }
    let mut transaction = db.begin().await?;
    let on = &mut *transaction;
    let printed = match command {
        Command::Add(New::Client { id, grants, scopes, public }) => {
            add_client(on, &id, &grants.join(" "), &scopes.join(" "), public).await?
        }
        Command::Add(New::Key { name, scopes }) => add_key(on, &name, &scopes.join(" ")).await?,
        Command::Add(New::Account { name, admin }) => add_account(on, &name, admin).await?,
        Command::List { what } => {
            let sql = match what {
                Kind::Client => "SELECT id || ': ' || grants || ': ' || scopes FROM clients",
                Kind::Key => "SELECT id || ': ' || scopes FROM api_keys",
                Kind::Account => "SELECT name FROM accounts",
            };
            let mut rows: Vec<String> = sqlx::query_scalar(sql).fetch_all(on).await?;
            rows.sort();
            rows.join("\n").into()
        }
        Command::Revoke { what, name } => {
            let sql = match what {
                Kind::Client => "DELETE FROM clients WHERE id = $1",
                Kind::Key => "DELETE FROM api_keys WHERE id = $1",
                Kind::Account => "DELETE FROM accounts WHERE name = $1",
            };
            let revoked = sqlx::query(sql).bind(&name).execute(on).await?;
            let is_there = revoked.rows_affected() > 0;
            is_there.then(|| name.as_str().into()).ok_or_else(|| format!("there is no `{name}`"))?
        }
        Command::Password { name } => {
            let password = secrets::random()?;
            let sql = "UPDATE accounts SET password_hash = $2 WHERE name = $1 RETURNING id";
            let query = sqlx::query_scalar(sql).bind(&name).bind(passwords::hash(&password)?);
            let found: Option<String> = query.fetch_optional(&mut *on).await?;
            let id = found.ok_or_else(|| format!("there is no `{name}`"))?;
            logins::end_all(on, &id, "").await?;
            password
        }
    };
    // Printed before it is stored: a secret that nobody could read is not valid.
    writeln!(stdout(), "{}", printed.expose_secret())?;
    Ok(transaction.commit().await?)
}

/// Adds a client, and returns its secret, which is empty if it is public.
async fn add_client(
    on: &mut Connection,
    id: &str,
    grants: &str,
    scopes: &str,
    is_public: bool,
) -> Result<SecretString> {
    // Whoever knows its name would be the client (RFC 6749, 4.4).
    if is_public && grants.contains("client_credentials") {
        return Err("a public client cannot act for itself".into());
    }
    let secret = (!is_public).then(secrets::random).transpose()?;
    let hash = secret.as_ref().map(secrets::hash).unwrap_or_default();
    let sql = "INSERT INTO clients (id, secret_hash, grants, scopes) VALUES ($1, $2, $3, $4)";
    let query = sqlx::query(sql).bind(id).bind(hash).bind(grants).bind(scopes);
    query.execute(on).await?;
    Ok(secret.unwrap_or_default())
}

/// Adds an API key, and returns it.
async fn add_key(on: &mut Connection, name: &str, scopes: &str) -> Result<SecretString> {
    let secret = secrets::random()?;
    let sql = "INSERT INTO api_keys (id, secret_hash, scopes) VALUES ($1, $2, $3)";
    let query = sqlx::query(sql).bind(name).bind(secrets::hash(&secret));
    query.bind(scopes).execute(on).await?;
    Ok(format!("{name}.{}", secret.expose_secret()).into())
}

/// Adds an account, and returns its password.
async fn add_account(on: &mut Connection, name: &str, is_admin: bool) -> Result<SecretString> {
    let password = secrets::random()?;
    let sql = "INSERT INTO accounts (id, name, password_hash, is_admin) VALUES ($1, $2, $3, $4)";
    let hash = passwords::hash(&password)?;
    let query = sqlx::query(sql).bind(secrets::random_id()?).bind(name).bind(hash);
    query.bind(i64::from(is_admin)).execute(on).await?;
    Ok(password)
}

/// Adds a signing key, which others can fetch before it signs.
pub(crate) async fn rotate_key(db: &Database) -> Result<()> {
    let sql = "INSERT INTO signing_keys (id, pkcs8, signs_from)
        SELECT max(id) + 1, $1, unixepoch() + $2 FROM signing_keys
        HAVING max(signs_from) <= unixepoch() ON CONFLICT DO NOTHING";
    let query = sqlx::query(sql).bind(new_key()?).bind(OVERLAP);
    match query.execute(&db.write).await?.rows_affected() {
        0 => Err("a new key is waiting already, or there is none to replace".into()),
        _ => Ok(writeln!(stdout(), "The new key signs in {OVERLAP} seconds")?),
    }
}

/// Fills a new database, and prints each secret once. Does nothing if it was filled before, also by
/// another node.
pub(crate) async fn fill(db: &Database, url: &str) -> Result<()> {
    let mut transaction = db.begin().await?;
    let on = &mut *transaction;
    let sql = "INSERT INTO signing_keys (id, pkcs8, signs_from) VALUES (1, $1, 0)
        ON CONFLICT DO NOTHING";
    let added = sqlx::query(sql).bind(new_key()?).execute(&mut *on).await?;
    if added.rows_affected() == 0 {
        return Ok(());
    }
    let admin = add_account(on, "admin", true).await?;
    let reporter = add_client(on, "reporter", GRANTS[2], Login::STATS_READ, false).await?;
    let job = add_key(on, "purge-job", Login::MAINTENANCE).await?;
    let [admin, reporter, job] = [&admin, &reporter, &job].map(ExposeSecret::expose_secret);
    writeln!(
        stdout(),
        "These secrets are new, and shown only now:
  the password of `admin`: {admin}
  curl -u 'reporter:{reporter}' -d grant_type=client_credentials {url}/token
  curl -X POST -H 'x-api-key: {job}' {url}/purge"
    )?;
    Ok(transaction.commit().await?)
}
