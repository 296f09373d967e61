-- Text that proves who somebody is, such as a token, a secret or a key, is never here: only its
-- hash. The key that signs tokens is, so the file is for this service alone. Times are seconds
-- since 1970.

CREATE TABLE signing_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    pkcs8 BLOB NOT NULL
) STRICT;

-- The id is random, and the subject of the account's tokens. Who registers the name of an account
-- that is gone has another id, so the old tokens are not theirs.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1))
) STRICT, WITHOUT ROWID;

-- A client without a hash is public: it has no secret. Grants and scopes are separated by spaces.
CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    secret_hash TEXT,
    grants TEXT NOT NULL,
    scopes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A login and its refresh tokens, all descendants of one another, are a family. It ends when its
-- row is deleted, and its tokens with it.
CREATE TABLE logins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    scopes TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE refresh_tokens (
    hash TEXT PRIMARY KEY,
    login INTEGER NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    is_spent INTEGER NOT NULL DEFAULT 0 CHECK (is_spent IN (0, 1))
) STRICT, WITHOUT ROWID;

-- A login has one token that is good.
CREATE UNIQUE INDEX good_refresh_tokens ON refresh_tokens (login) WHERE is_spent = 0;
CREATE INDEX refresh_tokens_of_logins ON refresh_tokens (login);
CREATE INDEX logins_of_accounts ON logins (account);
CREATE INDEX logins_by_end ON logins (expires_at);

CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX notes_of_accounts ON notes (account, id);
