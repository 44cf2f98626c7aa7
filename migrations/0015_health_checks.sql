-- What a server writes to see whether anything can be written: a row for each connection's number.
-- across tenants: they are the servers'
CREATE TABLE health_checks (
    slot BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (slot)
);
