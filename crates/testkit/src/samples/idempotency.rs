//! Answers that are kept for requests with an `Idempotency-Key`, for the tests that cover every task.

use crate::samples::{Sample, Work};

/// Answers that are kept for requests with an `Idempotency-Key`, for the tests that cover every task.
pub(super) const SAMPLE: Sample = Sample {
    work: &[
        Work {
            name: "sweep_idempotency",
            made_by: "INSERT INTO idempotency_records (tenant_id, idempotency_key, method, path, request_digest, status, body,
                    expires_at)
                VALUES ('{tenant}', 'a', 'POST', '/v0/pages', {bytes}, 200, {bytes}, {old})",
            left: "idempotency_records WHERE tenant_id = '{tenant}' AND expires_at <= {now}",
        },
    ],
    ..Sample::NONE
};
