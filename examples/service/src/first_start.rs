//! The first start: what a new database has.

use rusqlite::Transaction;
use tollgate::secrecy::{ExposeSecret, SecretString};

use crate::error::Internal;
use crate::scopes::{OF_ACCOUNTS, OF_ADMINS};
use crate::{passwords, secrets, signing};

/// Secrets of which the database has only the hashes.
pub(crate) struct FirstSecrets {
    admin: SecretString,
    reporter: SecretString,
    purge_job: SecretString,
}

impl FirstSecrets {
    /// Prints each secret once, and what it is for.
    pub(crate) fn print(&self, url: &str) {
        let admin = self.admin.expose_secret();
        let reporter = self.reporter.expose_secret();
        let purge_job = self.purge_job.expose_secret();
        println!("These secrets are new, and shown only now:");
        println!("  the password of `admin`: {admin}");
        println!("  curl -u 'reporter:{reporter}' -d grant_type=client_credentials {url}/token");
        println!("  curl -X POST -H 'x-api-key: purge-job.{purge_job}' {url}/purge");
    }
}

/// Fills a new database. Returns `None` if this is not the first start.
pub(crate) fn fill(database: &Transaction<'_>) -> Result<Option<FirstSecrets>, Internal> {
    let sql = "INSERT INTO signing_key (id, pkcs8) VALUES (1, ?1) ON CONFLICT DO NOTHING";
    if database.execute(sql, [signing::new_key()?])? == 0 {
        return Ok(None);
    }
    let admin = secrets::random()?;
    let sql = "INSERT INTO accounts (name, password_hash, is_admin) VALUES ('admin', ?1, 1)";
    database.execute(sql, [passwords::hash(&admin, &mut Vec::new())?])?;

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
    Ok(Some(FirstSecrets {
        admin,
        reporter,
        purge_job,
    }))
}
