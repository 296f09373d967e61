-- Tokens, secrets and API keys are stored as hashes only. The signing key is stored as it is, so
-- only this service may read the database. Times are seconds since 1970. Lists are JSON.

CREATE TABLE signing_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    pkcs8 BLOB NOT NULL
) STRICT;

-- The id is random, and the subject of the account's tokens. Whoever registers the name of a
-- deleted account gets another id, so the old tokens are not theirs.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    is_admin INTEGER NOT NULL DEFAULT FALSE
) STRICT, WITHOUT ROWID;

-- Guesses from networks that an account has not logged in from are limited together.
CREATE TABLE known_networks (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account, network)
) STRICT, WITHOUT ROWID;

-- A client without a hash is public: it has no secret.
CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    secret_hash TEXT,
    grants TEXT NOT NULL,
    scopes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Swagger UI, or your own page.
INSERT INTO clients (id, grants, scopes) VALUES (
    'web',
    '["password", "refresh_token"]',
    '["notes:read", "notes:write", "stats:read", "maintenance", "admin"]'
);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A login and its refresh tokens are a family. To end it, delete the login.
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
    is_spent INTEGER NOT NULL DEFAULT FALSE
) STRICT, WITHOUT ROWID;

-- A login has one token that is not spent.
CREATE UNIQUE INDEX unspent_refresh_tokens ON refresh_tokens (login) WHERE NOT is_spent;
CREATE INDEX refresh_tokens_by_login ON refresh_tokens (login);
CREATE INDEX logins_by_account ON logins (account);
CREATE INDEX logins_by_end ON logins (expires_at);
CREATE INDEX known_networks_by_end ON known_networks (expires_at);

CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX notes_by_account ON notes (account, id);
