-- What `/readyz` writes and reads back. One row counts, so that the table does not grow.
CREATE TABLE probes (
    id BIGINT PRIMARY KEY,
    writes BIGINT NOT NULL
);

INSERT INTO probes (id, writes) VALUES (1, 0);
