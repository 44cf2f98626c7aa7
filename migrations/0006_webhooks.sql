-- Who is told of what happened, and what became of it.

-- Deleted ones stay until their deliveries have been swept away.
CREATE TABLE webhook_subscriptions (
    tenant_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT,
    event_bits BIGINT NOT NULL,
    active BOOLEAN NOT NULL,
    stopped TEXT,
    secrets BYTEA NOT NULL,
    failing_since BIGINT,
    failed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, subscription_id)
);

-- An event that is a subscription's alone: a test.
ALTER TABLE events ADD COLUMN subscription_id TEXT;

CREATE INDEX events_type_idx ON events (tenant_id, type, event_id);

-- One event for one subscription. While it waits, either ready_at says since when it may be sent, or timer_at when it may be:
-- when its next try is due, or when the lease of the worker who sends it ends. Stage is empty once it has arrived.
-- clustered
CREATE TABLE deliveries (
    tenant_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    stage TEXT,
    ready_at BIGINT,
    timer_at BIGINT,
    lease_id TEXT,
    tries BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    first_attempt TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, subscription_id, event_id)
);

-- A lane for each subscription: whoever looks for work walks from lane to lane and takes the head of each, so that a
-- lane which does not move holds up nobody.
CREATE INDEX deliveries_ready_idx ON deliveries (tenant_id, subscription_id, ready_at, event_id) WHERE ready_at IS NOT NULL;

CREATE INDEX deliveries_timer_idx ON deliveries (timer_at, tenant_id, subscription_id, event_id) WHERE timer_at IS NOT NULL;

-- What has not arrived, for lists of it.
CREATE INDEX deliveries_stage_idx ON deliveries (tenant_id, subscription_id, stage, event_id) WHERE stage IS NOT NULL;

-- The first attempt stands in the delivery itself, since mostly it is the only one; these are the others.
-- clustered
CREATE TABLE delivery_attempts (
    tenant_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    attempt TEXT NOT NULL,
    PRIMARY KEY (tenant_id, subscription_id, event_id, number)
);
