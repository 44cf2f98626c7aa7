//! The audit: what is noted of what actors ([`crate::actor`]) do.
//!
//! Invariant: what is noted holds no personal data of anybody but the operator. Names of actions are stored and never change.

/// Declares the actions once: what they mean, and how they are stored.
macro_rules! actions {
    ($($(#[doc = $meaning:literal])+ $action:ident = $name:literal,)+) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action {
            $($(#[doc = $meaning])+ $action,)+
        }

        impl Action {
            /// Every action.
            pub const ALL: &[Action] = &[$(Action::$action,)+];

            /// The action as it is stored and shown.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Action::$action => $name,)+
                }
            }

            /// The action of that text.
            pub fn parse(text: &str) -> Option<Action> {
                Action::ALL.iter().copied().find(|action| action.as_str() == text)
            }
        }
    };
}

actions! {
    /// A tenant was made.
    TenantCreated = "tenant-created",
    /// A tenant's name or region was changed.
    TenantUpdated = "tenant-updated",
    /// A tenant was suspended.
    TenantSuspended = "tenant-suspended",
    /// A tenant was resumed.
    TenantResumed = "tenant-resumed",
    /// A key was issued.
    KeyCreated = "key-created",
    /// A key was issued in the place of another one.
    KeyRotated = "key-rotated",
    /// A key was revoked.
    KeyRevoked = "key-revoked",
    /// Who writes a tenant's pages, or its budget, was changed.
    AgentUpdated = "agent-updated",
    /// What a tenant decides about its site was changed.
    SiteUpdated = "site-updated",
    /// Who may open a person's or an account's own page was changed.
    AccessUpdated = "access-updated",
    /// A domain was verified: its tenant holds it.
    DomainVerified = "domain-verified",
    /// A domain was given up, since its DNS no longer showed what it must.
    DomainLost = "domain-lost",
    /// A domain was removed.
    DomainRemoved = "domain-removed",
    /// A webhook subscription was given another signing secret.
    WebhookSecretRotated = "webhook-secret-rotated",
    /// Everything about a person was handed out.
    PersonExported = "person-exported",
    /// A person was erased.
    PersonErased = "person-erased",
    /// A person was merged into another one.
    PersonMerged = "person-merged",
    /// The merge of a person into another one was taken back.
    PersonUnmerged = "person-unmerged",
    /// What is sealed was sealed under another server key.
    ServerKeyRotated = "server-key-rotated",
    /// The server was started with another key, and secrets under the old one were given up.
    ServerKeyAccepted = "server-key-accepted",
    /// A user was made.
    UserCreated = "user-created",
    /// A user's address, name or language was changed.
    UserUpdated = "user-updated",
    /// A user was disabled.
    UserDisabled = "user-disabled",
    /// A user was enabled.
    UserEnabled = "user-enabled",
    /// A user was removed.
    UserRemoved = "user-removed",
    /// An invitation was made.
    UserInvited = "user-invited",
    /// An invitation was revoked.
    InvitationRevoked = "invitation-revoked",
    /// The e-mail of an invitation was ordered, for the first time or again.
    InvitationMailed = "invitation-mailed",
    /// A link to the figures of a page was made.
    VisitsShared = "visits-shared",
    /// A link to the figures of a page was ended.
    VisitShareEnded = "visit-share-ended",
    /// A user was given a role in a tenant, or another one.
    RoleChanged = "role-changed",
    /// A user's role in a tenant was taken away.
    RoleRemoved = "role-removed",
    /// A user signed in.
    SignedIn = "signed-in",
    /// A user signed out.
    SignedOut = "signed-out",
    /// Somebody tried to sign in as a user several times with a wrong password or code.
    SignInFailed = "sign-in-failed",
    /// Sessions of a user were ended.
    SessionsEnded = "sessions-ended",
    /// A link was made by which a user's password can be set.
    PasswordLinkCreated = "password-link-created",
    /// A user's password was changed.
    PasswordChanged = "password-changed",
    /// A user's password was removed, since somebody from an identity provider is the user now.
    PasswordRemoved = "password-removed",
    /// A user added an authenticator app.
    SecondFactorAdded = "second-factor-added",
    /// A user's authenticator app was removed.
    SecondFactorRemoved = "second-factor-removed",
    /// A user was given other recovery codes.
    RecoveryCodesRenewed = "recovery-codes-renewed",
    /// A user signed in with a recovery code.
    RecoveryCodeUsed = "recovery-code-used",
    /// A user was connected with who that is at an identity provider.
    IdentityConnected = "identity-connected",
    /// A user was disconnected from identity providers.
    IdentitiesRemoved = "identities-removed",
    /// Whether a user may sign in with a password where passwords are off was changed.
    BreakGlassChanged = "break-glass-changed",
    /// A user was made an operator of the installation.
    OperatorAdded = "operator-added",
    /// A user is no operator any more.
    OperatorRemoved = "operator-removed",
    /// A backup was begun at the console.
    BackupStarted = "backup-started",
    /// How visits are measured was changed.
    VisitSettingsUpdated = "visit-settings-updated",
}
