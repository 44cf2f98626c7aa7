//! The users of a tenant, who have no operations of the API, for the tests that cover every task.

use crate::samples::{Sample, Work};

/// The users of a tenant, who have no operations of the API, for the tests that cover every task.
pub(super) const SAMPLE: Sample = Sample {
    work: &[
        Work {
            name: "send_invitations",
            made_by: "INSERT INTO invitations (tenant_id, invitation_id, digest, role, email, invited_by, created_at, expires_at,
                    mail_state, mail_language, mail_tries, mail_due_at)
                VALUES ('{tenant}', 'invitation_{id}', {bytes}, 'viewer', 'a@acme.example', 'server', {old}, {later},
                    'waiting', 'en', 0, {old})",
            left: "invitations WHERE tenant_id = '{tenant}' AND mail_due_at <= {now}",
        },
        Work {
            name: "sweep_sign_ins",
            made_by: "INSERT INTO invitations (tenant_id, invitation_id, digest, role, invited_by, created_at, expires_at)
                VALUES ('{tenant}', 'invitation_{other}', {bytes}, 'viewer', 'server', {old}, {old})",
            left: "invitations WHERE tenant_id = '{tenant}' AND expires_at <= {now}",
        },
    ],
    ..Sample::NONE
};
