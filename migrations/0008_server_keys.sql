-- Keys that the server has made for itself, sealed under its key.
-- across tenants: they are the server's
CREATE TABLE server_keys (
    name TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (name)
);
