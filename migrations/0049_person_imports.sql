-- serves from: 0020_compatible_servers
-- Imports of persons from files: what the columns become, how far each import is, and the rows that could not be taken. An import that has
-- `due_at` is in the queue of the workers. A server that does not know these tables carries no imports out, and the others do.
CREATE TABLE person_imports (
    tenant_id TEXT NOT NULL,
    person_import_id TEXT NOT NULL,
    file_id TEXT,
    file_name TEXT NOT NULL,
    size BIGINT NOT NULL,
    region TEXT,
    columns TEXT NOT NULL,
    status TEXT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    unchanged BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    position BIGINT NOT NULL,
    problem TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    ended_at BIGINT,
    due_at BIGINT,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, person_import_id)
);

CREATE INDEX person_imports_due_at_idx ON person_imports (tenant_id, due_at) WHERE due_at IS NOT NULL;

CREATE INDEX person_imports_leased_until_idx ON person_imports (leased_until) WHERE lease_id IS NOT NULL;

CREATE INDEX person_imports_file_id_idx ON person_imports (tenant_id, file_id) WHERE file_id IS NOT NULL;

CREATE TABLE person_import_refusals (
    tenant_id TEXT NOT NULL,
    person_import_id TEXT NOT NULL,
    line BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (tenant_id, person_import_id, line)
);
