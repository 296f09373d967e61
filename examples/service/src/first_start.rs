//! The first start: what a new database has.

use std::io::{Write, stdout};

use rusqlite::Transaction;
use tollgate::secrecy::ExposeSecret;

use crate::error::Internal;
use crate::scopes::{OF_ACCOUNTS, OF_ADMINS};
use crate::{passwords, secrets, signing};

/// Fills a new database, and prints each secret once, and what it is for. Later starts do nothing.
pub(crate) fn fill(database: &Transaction<'_>, url: &str) -> Result<(), Internal> {
    let sql = "INSERT INTO signing_key (id, pkcs8) VALUES (1, ?1) ON CONFLICT DO NOTHING";
    if database.execute(sql, [signing::new_key()?])? == 0 {
        return Ok(());
    }
    let admin = secrets::random()?;
    let hash = passwords::hash(&admin, &mut Vec::new())?;
    let sql = "INSERT INTO accounts (id, name, password_hash, is_admin)
        VALUES (?1, 'admin', ?2, 1)";
    database.execute(sql, (secrets::random_id()?, hash))?;

    let all = [&OF_ACCOUNTS[..], &OF_ADMINS[..]].concat().join(" ");
    let sql = "INSERT INTO clients (id, grants, scopes)
        VALUES ('web', 'password refresh_token', ?1)";
    database.execute(sql, [all])?;
    let reporter = secrets::random()?;
    let sql = "INSERT INTO clients (id, grants, scopes, secret_hash)
        VALUES ('reporter', 'client_credentials', 'stats:read', ?1)";
    database.execute(sql, [secrets::hash(&reporter)])?;

    let purge_job = secrets::random()?;
    let sql = "INSERT INTO api_keys (id, scopes, secret_hash)
        VALUES ('purge-job', 'maintenance', ?1)";
    database.execute(sql, [secrets::hash(&purge_job)])?;

    // The database has only their hashes, so they are printed before those are committed: if that
    // fails, the next start makes others. A secret that is printed in vain does no harm.
    let admin = admin.expose_secret();
    let reporter = reporter.expose_secret();
    let purge_job = purge_job.expose_secret();
    let mut out = stdout().lock();
    writeln!(out, "These secrets are new, and shown only now:")?;
    writeln!(out, "  the password of `admin`: {admin}")?;
    writeln!(
        out,
        "  curl -u 'reporter:{reporter}' -d grant_type=client_credentials {url}/token"
    )?;
    writeln!(
        out,
        "  curl -X POST -H 'x-api-key: purge-job.{purge_job}' {url}/purge"
    )?;
    Ok(out.flush()?)
}
