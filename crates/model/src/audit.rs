//! The audit: what is noted of what actors ([`crate::actor`]) do.
//!
//! Invariant: what is noted holds no personal data of anybody but the operator. Names of actions are stored and never change.

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A tenant was made.
    TenantCreated,
    /// A tenant's name or region was changed.
    TenantUpdated,
    /// A tenant was suspended.
    TenantSuspended,
    /// A tenant was resumed.
    TenantResumed,
    /// A key was issued.
    KeyCreated,
    /// A key was issued in the place of another one.
    KeyRotated,
    /// A key was revoked.
    KeyRevoked,
    /// Who writes a tenant's pages, or its budget, was changed.
    AgentUpdated,
    /// What a tenant decides about its site was changed.
    SiteUpdated,
    /// Who may open a person's or an account's own page was changed.
    AccessUpdated,
    /// A domain was verified: its tenant holds it.
    DomainVerified,
    /// A domain was given up, since its DNS no longer showed what it must.
    DomainLost,
    /// A domain was removed.
    DomainRemoved,
    /// A webhook subscription was given another signing secret.
    WebhookSecretRotated,
    /// Everything about a person was handed out.
    PersonExported,
    /// A person was erased.
    PersonErased,
    /// A person was merged into another one.
    PersonMerged,
    /// The merge of a person into another one was taken back.
    PersonUnmerged,
    /// What is sealed was sealed under another server key.
    ServerKeyRotated,
    /// The server was started with another key, and secrets under the old one were given up.
    ServerKeyAccepted,
    /// A user was made.
    UserCreated,
    /// A user's address, name or language was changed.
    UserUpdated,
    /// A user was disabled.
    UserDisabled,
    /// A user was enabled.
    UserEnabled,
    /// A user was removed.
    UserRemoved,
    /// An invitation was made.
    UserInvited,
    /// An invitation was revoked.
    InvitationRevoked,
    /// A link to the figures of a page was made.
    VisitsShared,
    /// A link to the figures of a page was ended.
    VisitShareEnded,
    /// A user was given a role in a tenant, or another one.
    RoleChanged,
    /// A user's role in a tenant was taken away.
    RoleRemoved,
    /// A user signed in.
    SignedIn,
    /// A user signed out.
    SignedOut,
    /// Somebody tried to sign in as a user several times with a wrong password or code.
    SignInFailed,
    /// Sessions of a user were ended.
    SessionsEnded,
    /// A link was made by which a user's password can be set.
    PasswordLinkCreated,
    /// A user's password was changed.
    PasswordChanged,
    /// A user added an authenticator app.
    SecondFactorAdded,
    /// A user's authenticator app was removed.
    SecondFactorRemoved,
    /// A user was given other recovery codes.
    RecoveryCodesRenewed,
    /// A user signed in with a recovery code.
    RecoveryCodeUsed,
    /// A user was connected with who that is at an identity provider.
    IdentityConnected,
    /// A user was disconnected from identity providers.
    IdentitiesRemoved,
    /// Whether a user may sign in with a password where passwords are off was changed.
    BreakGlassChanged,
    /// A user was made an operator of the installation.
    OperatorAdded,
    /// A user is no operator any more.
    OperatorRemoved,
    /// A backup was begun at the console.
    BackupStarted,
    /// How visits are measured was changed.
    VisitSettingsUpdated,
}

impl Action {
    /// The action as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::TenantCreated => "tenant-created",
            Action::TenantUpdated => "tenant-updated",
            Action::TenantSuspended => "tenant-suspended",
            Action::TenantResumed => "tenant-resumed",
            Action::KeyCreated => "key-created",
            Action::KeyRotated => "key-rotated",
            Action::KeyRevoked => "key-revoked",
            Action::AgentUpdated => "agent-updated",
            Action::SiteUpdated => "site-updated",
            Action::AccessUpdated => "access-updated",
            Action::DomainVerified => "domain-verified",
            Action::DomainLost => "domain-lost",
            Action::DomainRemoved => "domain-removed",
            Action::WebhookSecretRotated => "webhook-secret-rotated",
            Action::PersonExported => "person-exported",
            Action::PersonErased => "person-erased",
            Action::PersonMerged => "person-merged",
            Action::PersonUnmerged => "person-unmerged",
            Action::ServerKeyRotated => "server-key-rotated",
            Action::ServerKeyAccepted => "server-key-accepted",
            Action::UserCreated => "user-created",
            Action::UserUpdated => "user-updated",
            Action::UserDisabled => "user-disabled",
            Action::UserEnabled => "user-enabled",
            Action::UserRemoved => "user-removed",
            Action::UserInvited => "user-invited",
            Action::InvitationRevoked => "invitation-revoked",
            Action::VisitsShared => "visits-shared",
            Action::VisitShareEnded => "visit-share-ended",
            Action::RoleChanged => "role-changed",
            Action::RoleRemoved => "role-removed",
            Action::SignedIn => "signed-in",
            Action::SignedOut => "signed-out",
            Action::SignInFailed => "sign-in-failed",
            Action::SessionsEnded => "sessions-ended",
            Action::PasswordLinkCreated => "password-link-created",
            Action::PasswordChanged => "password-changed",
            Action::SecondFactorAdded => "second-factor-added",
            Action::SecondFactorRemoved => "second-factor-removed",
            Action::RecoveryCodesRenewed => "recovery-codes-renewed",
            Action::RecoveryCodeUsed => "recovery-code-used",
            Action::IdentityConnected => "identity-connected",
            Action::IdentitiesRemoved => "identities-removed",
            Action::BreakGlassChanged => "break-glass-changed",
            Action::OperatorAdded => "operator-added",
            Action::OperatorRemoved => "operator-removed",
            Action::BackupStarted => "backup-started",
            Action::VisitSettingsUpdated => "visit-settings-updated",
        }
    }
}
