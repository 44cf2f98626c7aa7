-- clustered
CREATE TABLE person_texts (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (tenant_id, person_id)
);
