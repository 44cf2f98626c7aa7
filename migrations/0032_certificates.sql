-- serves from: 0020_compatible_servers
-- Certificates that an authority issues for host names of this installation (ACME), with the order that runs for each. Keys are sealed under
-- the server's key. A server that does not know these tables serves certificates from files alone.
-- across tenants: a host name is one tenant's, or the server's own, in the whole installation
CREATE TABLE certificates (
    name TEXT NOT NULL,
    directory TEXT NOT NULL,
    chain TEXT,
    sealed_key BYTEA,
    not_before BIGINT,
    not_after BIGINT,
    issued_at BIGINT,
    first_issued_at BIGINT,
    renew_at BIGINT,
    renewal_id TEXT,
    order_stage TEXT,
    order_url TEXT,
    ordered_at BIGINT,
    sealed_order_key BYTEA,
    token TEXT,
    key_authorization TEXT,
    failures BIGINT NOT NULL,
    trouble TEXT,
    trouble_detail TEXT,
    failed_at BIGINT,
    next_step_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE INDEX certificates_next_step_at_idx ON certificates (next_step_at);

CREATE INDEX certificates_token_idx ON certificates (token) WHERE token IS NOT NULL;

-- The account at each authority, sealed; which server orders there at the moment, how many orders it has begun in this hour, and until when
-- the authority is left alone.
-- across tenants: the account is the server's
CREATE TABLE acme_accounts (
    directory TEXT NOT NULL,
    contact TEXT NOT NULL,
    sealed BYTEA,
    holder TEXT,
    held_until BIGINT NOT NULL,
    hour_began_at BIGINT NOT NULL,
    orders BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    trouble TEXT,
    paused_until BIGINT NOT NULL,
    PRIMARY KEY (directory)
);
