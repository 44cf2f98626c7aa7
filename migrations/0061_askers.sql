-- serves from: 0060_visits_of_tenants
-- How many questions a visitor had answered on a UTC day whose visits are not counted, such as a program; the others have theirs in their
-- sessions. A server that does not know the table answers such visitors within the limits of page and tenant alone.
CREATE TABLE question_askers (
    tenant_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    visitor BYTEA NOT NULL,
    questions BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, day, visitor)
);
