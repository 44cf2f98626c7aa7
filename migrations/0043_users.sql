-- serves from: 0020_compatible_servers
-- Users: who signs in at the console, and what they may do in which tenant. A server that does not know these tables has no console, and
-- tells what a user has done as done by the server.
-- across tenants: a user may have a role in several tenants, and the address is unique in the installation
CREATE TABLE users (
    user_id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    password_hash TEXT,
    sealed_totp BYTEA,
    totp_step BIGINT,
    sealed_new_totp BYTEA,
    disabled_at BIGINT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id),
    CONSTRAINT users_email_key UNIQUE (email)
);

-- across tenants: the codes are a user's
CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (user_id, digest)
);

CREATE TABLE memberships (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

CREATE INDEX memberships_user_idx ON memberships (user_id);

CREATE TABLE invitations (
    tenant_id TEXT NOT NULL,
    invitation_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    role TEXT NOT NULL,
    email TEXT,
    invited_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, invitation_id)
);

CREATE INDEX invitations_digest_idx ON invitations (digest);

CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

-- Links that are good once: to make the first user, or to set a user's password.
-- across tenants: they belong to the installation or to a user
CREATE TABLE user_links (
    digest BYTEA NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX user_links_user_idx ON user_links (user_id);

CREATE INDEX user_links_expires_at_idx ON user_links (expires_at);

-- Users whose password was right and whose second factor is awaited.
-- across tenants: a user signs in at the installation
CREATE TABLE half_sign_ins (
    digest BYTEA NOT NULL,
    user_id TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX half_sign_ins_user_idx ON half_sign_ins (user_id);

CREATE INDEX half_sign_ins_expires_at_idx ON half_sign_ins (expires_at);

-- across tenants: a session is a user's
CREATE TABLE user_sessions (
    user_session_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    older_digest BYTEA,
    older_until BIGINT,
    client TEXT NOT NULL,
    network TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    rotates_at BIGINT NOT NULL,
    PRIMARY KEY (user_session_id),
    CONSTRAINT user_sessions_digest_key UNIQUE (digest)
);

CREATE INDEX user_sessions_older_digest_idx ON user_sessions (older_digest);

CREATE INDEX user_sessions_user_idx ON user_sessions (user_id);

CREATE INDEX user_sessions_expires_at_idx ON user_sessions (expires_at);

-- Wrong attempts to sign in, by digests of addresses and of users' addresses.
-- across tenants: whoever tries belongs to no tenant yet
CREATE TABLE sign_in_failures (
    digest BYTEA NOT NULL,
    attempts BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX sign_in_failures_last_at_idx ON sign_in_failures (last_at);

-- Where users were signed in, by digests of addresses.
-- across tenants: a user signs in at the installation
CREATE TABLE user_addresses (
    user_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, digest)
);

CREATE INDEX user_addresses_last_at_idx ON user_addresses (last_at);
