-- What a server writes to see whether anything can be written: a row for each connection's number.
-- across tenants: they are the servers'
CREATE TABLE health_checks (
    slot BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (slot)
);

-- When the embedded database's file was last looked through, and what was wrong with it.
-- across tenants: the file is everyone's
CREATE TABLE integrity_checks (
    name TEXT NOT NULL,
    checked_at BIGINT NOT NULL,
    problem TEXT,
    PRIMARY KEY (name)
);
