//! What the audit tells was done, in the user's language.

use pagesmith_model::audit::Action;

use crate::visit::Visit;

/// The action that the API calls so; nothing if there is none.
pub(super) fn named(name: &str) -> Option<Action> {
    Action::ALL.iter().copied().find(|action| action.as_str() == name)
}

/// What was done.
pub(super) fn word(visit: &Visit, action: Action) -> String {
    visit.text(match action {
        Action::TenantCreated => "did-tenant-created",
        Action::TenantUpdated => "did-tenant-updated",
        Action::TenantSuspended => "did-tenant-suspended",
        Action::TenantResumed => "did-tenant-resumed",
        Action::KeyCreated => "did-key-created",
        Action::KeyRotated => "did-key-rotated",
        Action::KeyRevoked => "did-key-revoked",
        Action::AgentUpdated => "did-agent-updated",
        Action::SiteUpdated => "did-site-updated",
        Action::AccessUpdated => "did-access-updated",
        Action::DomainVerified => "did-domain-verified",
        Action::DomainLost => "did-domain-lost",
        Action::DomainRemoved => "did-domain-removed",
        Action::WebhookSecretRotated => "did-webhook-secret-rotated",
        Action::PersonExported => "did-person-exported",
        Action::PersonErased => "did-person-erased",
        Action::PersonMerged => "did-person-merged",
        Action::PersonUnmerged => "did-person-unmerged",
        Action::ServerKeyRotated => "did-server-key-rotated",
        Action::ServerKeyAccepted => "did-server-key-accepted",
        Action::UserCreated => "did-user-created",
        Action::UserUpdated => "did-user-updated",
        Action::UserDisabled => "did-user-disabled",
        Action::UserEnabled => "did-user-enabled",
        Action::UserRemoved => "did-user-removed",
        Action::UserInvited => "did-user-invited",
        Action::InvitationRevoked => "did-invitation-revoked",
        Action::InvitationMailed => "did-invitation-mailed",
        Action::VisitsShared => "did-visits-shared",
        Action::VisitShareEnded => "did-visit-share-ended",
        Action::RoleChanged => "did-role-changed",
        Action::RoleRemoved => "did-role-removed",
        Action::SignedIn => "did-signed-in",
        Action::SignedOut => "did-signed-out",
        Action::SignInFailed => "did-sign-in-failed",
        Action::SessionsEnded => "did-sessions-ended",
        Action::PasswordLinkCreated => "did-password-link-created",
        Action::PasswordChanged => "did-password-changed",
        Action::PasswordRemoved => "did-password-removed",
        Action::SecondFactorAdded => "did-second-factor-added",
        Action::SecondFactorRemoved => "did-second-factor-removed",
        Action::RecoveryCodesRenewed => "did-recovery-codes-renewed",
        Action::RecoveryCodeUsed => "did-recovery-code-used",
        Action::IdentityConnected => "did-identity-connected",
        Action::IdentitiesRemoved => "did-identities-removed",
        Action::BreakGlassChanged => "did-break-glass-changed",
        Action::OperatorAdded => "did-operator-added",
        Action::OperatorRemoved => "did-operator-removed",
        Action::BackupStarted => "did-backup-started",
        Action::VisitSettingsUpdated => "did-visit-settings-updated",
    })
}
