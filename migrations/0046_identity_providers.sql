-- serves from: 0020_compatible_servers
-- Who users are at identity providers, and who may use a password where passwords are off. A server that does not know these lets users
-- sign in with passwords alone.
ALTER TABLE users ADD COLUMN break_glass_at BIGINT;

-- across tenants: a user belongs to the installation
CREATE TABLE user_identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX user_identities_user_idx ON user_identities (user_id);

-- across tenants: nobody is signed in yet
CREATE TABLE used_sign_ins (
    digest BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX used_sign_ins_expires_at_idx ON used_sign_ins (expires_at);

CREATE INDEX invitations_email_idx ON invitations (email);
