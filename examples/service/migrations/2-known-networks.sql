-- Where an account has logged in from. Guesses from anywhere else are limited together.
CREATE TABLE known_networks (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account, network)
) STRICT, WITHOUT ROWID;

CREATE INDEX known_networks_by_end ON known_networks (expires_at);
