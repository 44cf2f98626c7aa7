//! PostgreSQL's own load generator with the statements that the service needs for an entry of a person's log.
//!
//! It runs on the database that the service has just filled, over as many connections as the service keeps: this is the most that
//! the same transactions can reach on this PostgreSQL, without HTTP, without JSON and without anybody to answer.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::Result;

/// As many connections as the service keeps by default.
const CONNECTIONS: &str = "8";

/// An entry for a person who is known.
const KNOWN: &str = r#"
\set number random(0, :known)
BEGIN ISOLATION LEVEL SERIALIZABLE;
INSERT INTO person_logs (tenant_id, person_id, person_log_id, account_id, source, type, payload, created_person, created_at)
SELECT tenant_id, person_id, 'personlog_' || lpad(nextval('pgbench_ids')::text, 26, '0'), account_id, 'website',
       'form-submitted', :payload, false, 1780000000000000
FROM persons WHERE tenant_id = :tenant AND deleted_at IS NULL
  AND email = 'person-p' || lpad((:number::bigint * 387420489 % 1000000000)::text, 9, '0') || '@northwind.example'
ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING person_id;
COMMIT;
"#;

/// An entry for somebody new, at a company that is known.
const NEW: &str = r#"
\set shard random(1, 8)
\set number random(200000000, 900000000)
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT person_id FROM persons WHERE tenant_id = :tenant AND deleted_at IS NULL
  AND email = 'person-p' || lpad((:number::bigint * 387420489 % 1000000000)::text, 9, '0') || '@northwind.example';
SELECT person_id, name, email, domain, slug, account_id, created_at, updated_at FROM persons
WHERE tenant_id = :tenant AND deleted_at IS NULL
  AND email = 'person-p' || lpad((:number::bigint * 387420489 % 1000000000)::text, 9, '0') || '@northwind.example';
SELECT account_id, domain, name, is_empty, created_at, updated_at FROM accounts
WHERE tenant_id = :tenant AND domain = 'northwind.example';
INSERT INTO persons (tenant_id, person_id, name, email, domain, slug, account_id, created_at, updated_at)
SELECT :tenant, 'person_' || lpad((:number)::text, 26, '0'), 'Person ' || :number,
       'person-p' || lpad((:number::bigint * 387420489 % 1000000000)::text, 9, '0') || '@northwind.example', 'northwind.example',
       'person-' || :number, account_id, 1780000000000000, 1780000000000000
FROM accounts WHERE tenant_id = :tenant AND domain = 'northwind.example'
ON CONFLICT (tenant_id, slug) DO NOTHING RETURNING person_id;
INSERT INTO person_texts (tenant_id, person_id, fields, document)
VALUES (:tenant, 'person_' || lpad((:number)::text, 26, '0'), 'person ' || :number || ' northwind.example', -1)
ON CONFLICT DO NOTHING;
INSERT INTO counters (tenant_id, name, shard, value) VALUES (:tenant, 'persons', :shard, 1)
ON CONFLICT (tenant_id, name, shard) DO UPDATE SET value = counters.value + excluded.value;
INSERT INTO person_logs (tenant_id, person_id, person_log_id, source, type, payload, created_person, created_at)
VALUES (:tenant, 'person_' || lpad((:number)::text, 26, '0'), 'personlog_' || lpad(nextval('pgbench_ids')::text, 26, '0'),
        'website', 'form-submitted', :payload, true, 1780000000000000)
ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING person_id;
COMMIT;
"#;

/// Transactions a second, four of five for somebody known; the sequence `pgbench_ids` must be there.
pub fn rate(
    program: &Path,
    directory: &Path,
    url: &str,
    tenant: &str,
    payload: &str,
    known: usize,
    time: Duration,
) -> Result<f64> {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let fill =
        |script: &str| script.replace(":tenant", &quoted(tenant)).replace(":payload", &quoted(payload));
    let (known_file, new_file) = (directory.join("known.sql"), directory.join("new.sql"));
    std::fs::write(&known_file, fill(KNOWN))?;
    std::fs::write(&new_file, fill(NEW))?;
    let output = Command::new(program)
        .args(["-n", "-M", "prepared", "-j", "1", "--max-tries=100", "-c", CONNECTIONS])
        .args(["-T", &time.as_secs().max(1).to_string(), "-D", &format!("known={}", known.saturating_sub(1))])
        .args(["-f", &format!("{}@4", known_file.display()), "-f", &format!("{}@1", new_file.display())])
        .arg(url)
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let rate = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    rate.ok_or_else(|| format!("pgbench: {said}{}", String::from_utf8_lossy(&output.stderr)).into())
}
