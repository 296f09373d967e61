//! Who may call what: each route is asked by each caller, without running its handler.
//! `UPDATE_EXPECT=1 cargo test -p doorward-example-service who` writes the file.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Extension;
use doorward::testing::AccessMatrix;
use doorward::{BearerToken, Shared, axum08::asked};
use expect_test::expect_file;
use serde_json::json;
use tokio::sync::Semaphore;
use tower::ServiceExt;

use crate::accounts::Account;
use crate::connections::Turn;
use crate::scopes::{Login, OF_ACCOUNTS, OF_ADMINS};
use crate::signing::{Signer, new_key};
use crate::{database, database::Database, error::Result, health::Health, logins};
use crate::{passwords::Passwords, routes, secrets, with_values};

const URL: &str = "https://notes.example.com";

/// The service, with a database of its own.
struct Service {
    signer: Shared<Signer>,
    folder: PathBuf,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Service {
    async fn new() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("notes-{}", secrets::random_id()?));
        std::fs::create_dir(&folder)?;
        let db = Shared::new(database::open(&folder.join("notes.db").to_string_lossy()).await?);
        let rows = [
            "INSERT INTO accounts (id, name, password_hash, is_admin) VALUES
                ('alice', 'alice', '', 0), ('bob', 'bob', '', 0), ('root', 'root', '', 1)",
            "INSERT INTO notes (account, text) VALUES ('alice', 'a note of hers')",
            "INSERT INTO clients (id, secret_hash, grants, scopes) VALUES
                ('reporter', '', 'client_credentials', 'stats:read'),
                ('importer', '', 'client_credentials', 'notes:write')",
        ];
        for sql in rows {
            sqlx::query(sql).execute(&db.write).await?;
        }
        let sql = "INSERT INTO signing_keys (id, pkcs8, signs_from) VALUES (1, $1, 0)";
        sqlx::query(sql).bind(new_key()?).execute(&db.write).await?;
        for (id, scopes) in [("purge-job", "maintenance"), ("idle-job", "")] {
            let sql = "INSERT INTO api_keys (id, secret_hash, scopes) VALUES ($1, $2, $3)";
            let hash = secrets::hash(&"s3cret".into());
            sqlx::query(sql).bind(id).bind(hash).bind(scopes).execute(&db.write).await?;
        }
        Ok(Self { signer: Shared::new(Signer { url: URL.to_owned(), db }), folder })
    }

    fn db(&self) -> &Database {
        &self.signer.db
    }

    /// Returns a token of a new login, with the id of the login.
    async fn log_in(
        &self,
        account: &str,
        scopes: &[&'static str],
    ) -> Result<(BearerToken, String)> {
        let is_admin = i64::from(account == "root");
        let account = Account { id: account.to_owned(), is_admin, password_hash: String::new() };
        let granted: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        let login = logins::start(self.db(), &account, "192.0.2.1", "web", &granted).await?;
        let login = login.ok_or("there is no such account")?.id;
        Ok((self.token(&account.id, "web", Some(&login), scopes).await?, login))
    }

    /// Returns a token as `POST /token` issues it.
    async fn token(
        &self,
        subject: &str,
        client: &str,
        login: Option<&str>,
        scopes: &[&'static str],
    ) -> Result<BearerToken> {
        let (authority, now) = self.signer.authority().await?;
        let token = authority.token(subject).issued_at(now);
        let token = token.claim("client_id", client).claim("sid", login);
        Ok(token.scopes(scopes.iter().copied()).sign()?)
    }
}

async fn who() -> Result<AccessMatrix> {
    let service = Service::new().await?;
    let of_admins = [&OF_ACCOUNTS[..], &OF_ADMINS[..]].concat();
    let (reader, _) = service.log_in("alice", &[Login::NOTES_READ]).await?;
    let (alice, _) = service.log_in("alice", &[Login::NOTES_WRITE]).await?;
    let (bob, _) = service.log_in("bob", &OF_ACCOUNTS).await?;
    let (root, _) = service.log_in("root", &of_admins).await?;
    let (admin, _) = service.log_in("root", &[Login::ADMIN]).await?;
    let (ended, login) = service.log_in("alice", &OF_ACCOUNTS).await?;
    let sql = "DELETE FROM logins WHERE id = $1";
    sqlx::query(sql).bind(login).execute(&service.db().write).await?;
    let reporter = service.token("client:reporter", "reporter", None, &[Login::STATS_READ]).await?;
    let importer =
        service.token("client:importer", "importer", None, &[Login::NOTES_WRITE]).await?;
    let revoked = service.token("client:revoked", "revoked", None, &[Login::STATS_READ]).await?;

    let router = routes::router(URL)?;
    let table = router.routes();
    let values = with_values(
        router,
        service.signer.clone(),
        Passwords::new(None)?,
        Shared::new(Health::default()),
    );
    let turn = Arc::new(Turn::new(Arc::new(Semaphore::new(1))));
    let app = values.await?.layer(Extension(turn));
    let who = table
        .asked_by("nobody", None)
        .asked_by("ended", ended)
        .asked_by("reader", reader)
        .asked_by("alice", alice)
        .asked_by("bob", bob)
        .asked_by("root", root)
        .asked_by("admin", admin)
        .asked_by("reporter", reporter)
        .asked_by("importer", importer)
        .asked_by("revoked", revoked)
        .asked_by("job", ("x-api-key", "purge-job.s3cret"))
        .asked_by("idle", ("x-api-key", "idle-job.s3cret"))
        .asked_by("wrong", ("x-api-key", "purge-job.guess"))
        .sample("/notes/{id}", "/notes/1")
        .body("POST /accounts", json!({ "username": "carol", "password": "a long passphrase" }))
        .body("POST /notes", json!({ "text": "a note" }))
        .body("PUT /password", json!({ "old": "an old passphrase", "new": "a new passphrase" }));
    Ok(who.table(|ask| app.clone().oneshot(asked(ask))).await?)
}

/// Each change of rights is a change of the file, also one in the body of a dependency.
#[tokio::test]
async fn each_caller_gets_in_where_it_is_listed() {
    let who = who().await.unwrap();
    expect_file!["who.txt"].assert_eq(&who.to_string());
    // Two users differ in what is theirs.
    let routes = who.diff("alice", "bob").unwrap().to_string();
    let routes = routes.lines().skip(1).map(|line| line.split_once("  ").unwrap().0);
    assert_eq!(Vec::from_iter(routes), ["DELETE", "GET"], "{who}");
}
