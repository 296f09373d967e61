//! What an operator adds, lists and revokes, and what the first start adds.

use std::io::{Write, stdout};

use clap::{Subcommand, builder::PossibleValuesParser};
use tollgate::secrecy::ExposeSecret;

use crate::accounts::{change_password, is_name};
use crate::database::{Connection, Database};
use crate::scopes::{Login, OF_ACCOUNTS, OF_ADMINS};
use crate::signing::{OVERLAP, new_key};
use crate::{error::Result, passwords, secrets};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Add, list and revoke the clients that get tokens
    #[command(subcommand)]
    Client(Client),
    /// Add, list and revoke the API keys of jobs
    #[command(subcommand)]
    Key(Key),
    /// Add, list and revoke accounts
    #[command(subcommand)]
    Account(Account),
}

#[derive(Subcommand)]
pub(crate) enum Client {
    /// Add a client, and print its secret
    Add {
        #[arg(value_parser = name)]
        id: String,
        #[arg(long, required = true, value_delimiter = ' ', value_parser = GRANTS)]
        grants: Vec<String>,
        #[arg(long, required = true, value_delimiter = ' ', value_parser = scopes())]
        scopes: Vec<String>,
        /// It has no secret, because it runs where it cannot keep one
        #[arg(long)]
        public: bool,
    },
    List,
    /// Revoke a client, its logins and its tokens
    Revoke {
        id: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Key {
    /// Add a key, and print it
    Add {
        #[arg(value_parser = name)]
        name: String,
        #[arg(long, required = true, value_delimiter = ' ', value_parser = ["maintenance"])]
        scopes: Vec<String>,
    },
    List,
    Revoke {
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Account {
    /// Add an account, and print its password
    Add {
        #[arg(value_parser = name)]
        name: String,
        #[arg(long)]
        admin: bool,
    },
    List,
    /// Print a new password, and end the logins of the account
    Password {
        name: String,
    },
    /// Delete an account, its logins and its notes
    Revoke {
        name: String,
    },
}

const GRANTS: [&str; 3] = ["password", "refresh_token", "client_credentials"];

fn scopes() -> PossibleValuesParser {
    OF_ACCOUNTS.iter().chain(&OF_ADMINS).into()
}

fn name(text: &str) -> Result<String, &'static str> {
    let is_name = is_name(text).then(|| text.to_owned());
    is_name.ok_or("it has 1 to 32 of a-z, 0-9, - and _")
}

/// Does it, and prints what was asked for.
pub(crate) async fn run(command: Command, db: &Database) -> Result<()> {
    let mut transaction = db.write.begin().await?;
    let on = &mut *transaction;
    let lines = match command {
        Command::Client(Client::Add {
            id,
            grants,
            scopes,
            public,
        }) => add_client(on, &id, &grants.join(" "), &scopes.join(" "), public).await?,
        Command::Client(Client::List) => {
            list(
                on,
                "SELECT id || ': ' || grants || ': ' || scopes FROM clients ORDER BY id",
            )
            .await?
        }
        Command::Client(Client::Revoke { id }) => {
            revoke(on, "DELETE FROM clients WHERE id = $1", &id).await?
        }
        Command::Key(Key::Add { name, scopes }) => add_key(on, &name, &scopes.join(" ")).await?,
        Command::Key(Key::List) => {
            list(on, "SELECT id || ': ' || scopes FROM api_keys ORDER BY id").await?
        }
        Command::Key(Key::Revoke { name }) => {
            revoke(on, "DELETE FROM api_keys WHERE id = $1", &name).await?
        }
        Command::Account(Account::Add { name, admin }) => add_account(on, &name, admin).await?,
        Command::Account(Account::List) => {
            let role = "CASE is_admin WHEN 1 THEN ': administrator' ELSE '' END";
            list(
                on,
                &format!("SELECT name || {role} FROM accounts ORDER BY name"),
            )
            .await?
        }
        Command::Account(Account::Password { name }) => new_password(on, &name).await?,
        Command::Account(Account::Revoke { name }) => {
            revoke(on, "DELETE FROM accounts WHERE name = $1", &name).await?
        }
    };
    // Secrets are printed before they are stored: those that nobody could read are not valid.
    writeln!(stdout(), "{lines}")?;
    Ok(transaction.commit().await?)
}

async fn list(on: &mut Connection, sql: &str) -> Result<String> {
    let rows: Vec<String> = sqlx::query_scalar(sql).fetch_all(on).await?;
    Ok(rows.join("\n"))
}

async fn revoke(on: &mut Connection, sql: &str, name: &str) -> Result<String> {
    match sqlx::query(sql)
        .bind(name)
        .execute(on)
        .await?
        .rows_affected()
    {
        0 => Err(format!("there is no `{name}`").into()),
        _ => Ok(format!("`{name}` is revoked")),
    }
}

/// Adds a client, and returns its secret.
async fn add_client(
    on: &mut Connection,
    id: &str,
    grants: &str,
    scopes: &str,
    is_public: bool,
) -> Result<String> {
    let secret = secrets::random()?;
    let (hash, printed) = match is_public {
        true => (String::new(), format!("`{id}` is public")),
        false => (secrets::hash(&secret), secret.expose_secret().to_owned()),
    };
    let sql = "INSERT INTO clients (id, secret_hash, grants, scopes) VALUES ($1, $2, $3, $4)";
    let query = sqlx::query(sql)
        .bind(id)
        .bind(hash)
        .bind(grants)
        .bind(scopes);
    query.execute(on).await?;
    Ok(printed)
}

/// Adds an API key, and returns it.
async fn add_key(on: &mut Connection, name: &str, scopes: &str) -> Result<String> {
    let secret = secrets::random()?;
    let sql = "INSERT INTO api_keys (id, secret_hash, scopes) VALUES ($1, $2, $3)";
    let query = sqlx::query(sql)
        .bind(name)
        .bind(secrets::hash(&secret))
        .bind(scopes);
    query.execute(on).await?;
    Ok(format!("{name}.{}", secret.expose_secret()))
}

/// Adds an account, and returns its password.
async fn add_account(on: &mut Connection, name: &str, is_admin: bool) -> Result<String> {
    let password = secrets::random()?;
    let sql = "INSERT INTO accounts (id, name, password_hash, is_admin) VALUES ($1, $2, $3, $4)";
    let query = sqlx::query(sql).bind(secrets::random_id()?).bind(name);
    let query = query
        .bind(passwords::hash(&password)?)
        .bind(i64::from(is_admin));
    query.execute(on).await?;
    Ok(password.expose_secret().to_owned())
}

/// Gives an account another password, and returns it.
async fn new_password(on: &mut Connection, name: &str) -> Result<String> {
    let sql = "SELECT id, password_hash FROM accounts WHERE name = $1";
    let found = sqlx::query_as(sql)
        .bind(name)
        .fetch_optional(&mut *on)
        .await?;
    let (id, old): (String, String) = found.ok_or_else(|| format!("there is no `{name}`"))?;
    let password = secrets::random()?;
    change_password(on, &id, &old, &passwords::hash(&password)?).await?;
    Ok(password.expose_secret().to_owned())
}

/// Adds a signing key, which other services can fetch before it signs.
pub(crate) async fn rotate_key(db: &Database) -> Result<()> {
    let sql = "INSERT INTO signing_keys (id, pkcs8, signs_from)
        SELECT max(id) + 1, $1, unixepoch() + $2 FROM signing_keys
        HAVING max(signs_from) <= unixepoch()";
    let query = sqlx::query(sql).bind(new_key()?).bind(OVERLAP);
    match query.execute(&db.write).await?.rows_affected() {
        0 => Err("a new key is waiting already, or there is none to replace".into()),
        _ => Ok(writeln!(
            stdout(),
            "The new key signs in {OVERLAP} seconds"
        )?),
    }
}

/// Fills a new database, and prints each secret once. Later starts do nothing, nor do other nodes.
pub(crate) async fn fill(db: &Database, url: &str) -> Result<()> {
    let mut transaction = db.write.begin().await?;
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
    writeln!(
        stdout(),
        "These secrets are new, and shown only now:
  the password of `admin`: {admin}
  curl -u 'reporter:{reporter}' -d grant_type=client_credentials {url}/token
  curl -X POST -H 'x-api-key: {job}' {url}/purge"
    )?;
    Ok(transaction.commit().await?)
}
