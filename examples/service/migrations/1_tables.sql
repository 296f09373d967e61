-- Written for PostgreSQL; `database.rs` replaces what SQLite does not know. Tokens, secrets and
-- API keys are stored as hashes only. Signing keys are stored as they are, so only this service may
-- read the database. Times are seconds since 1970. Lists are separated by spaces. Flags are 0 or 1.

-- PKCS #8 in base64. A key that is no longer needed is empty: the first one shows that the database
-- was filled.
CREATE TABLE signing_keys (
    id BIGINT PRIMARY KEY,
    pkcs8 TEXT NOT NULL,
    signs_from BIGINT NOT NULL
);

-- The id is random, and the subject of the account's tokens. Whoever registers the name of a
-- deleted account gets another id, so the old tokens are not theirs.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    is_admin BIGINT NOT NULL
);

-- Guesses from networks that an account has not logged in from share one limit.
CREATE TABLE known_networks (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (account, network)
);

-- A client with an empty hash is public: it has no secret.
CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    grants TEXT NOT NULL,
    scopes TEXT NOT NULL
);

-- Swagger UI, or your own page.
INSERT INTO clients (id, secret_hash, grants, scopes) VALUES ('web', '', 'password refresh_token',
    'notes:read notes:write stats:read maintenance admin');

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL
);

-- To end a login, delete it. Its refresh token has two parts: the hash of the first is the id, and
-- that of the second changes with each refresh.
CREATE TABLE logins (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    scopes TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX logins_by_account ON logins (account);
CREATE INDEX logins_by_client ON logins (client);
CREATE INDEX logins_by_end ON logins (expires_at);
CREATE INDEX known_networks_by_end ON known_networks (expires_at);

CREATE TABLE notes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    text TEXT NOT NULL
);

CREATE INDEX notes_by_account ON notes (account, id);
