//! Roles: what a user may do in a tenant.

use std::fmt;
use std::str::FromStr;

use crate::key::Scope;

/// What a user may do in a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything, and decides who else may do what.
    Owner,
    /// Reads and changes everything of the tenant but its users.
    Editor,
    /// Reads everything but personal data: pages, and sums of visits.
    Analyst,
    /// Reads everything.
    Viewer,
}

/// Something that only some roles allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// To read what is no personal data.
    Read,
    /// To read persons, their logs, what they have sent, and visits one by one.
    ReadPersonalData,
    /// To change pages, settings and data.
    Write,
    /// To invite users, change their roles and remove them.
    ManageUsers,
}

impl Role {
    /// Every role, the one that may do most first.
    pub const ALL: [Role; 4] = [Role::Owner, Role::Editor, Role::Analyst, Role::Viewer];

    /// The one of these that may do most.
    pub fn greatest(roles: impl IntoIterator<Item = Role>) -> Option<Role> {
        let rank = |role: &Role| Role::ALL.iter().position(|known| known == role);
        roles.into_iter().min_by_key(rank)
    }

    /// The role as it is stored and typed.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Editor => "editor",
            Role::Analyst => "analyst",
            Role::Viewer => "viewer",
        }
    }

    /// The role of this name.
    pub fn parse(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// Whether a user with this role may do that.
    pub fn allows(self, permission: Permission) -> bool {
        match permission {
            Permission::Read => true,
            Permission::ReadPersonalData => self != Role::Analyst,
            Permission::Write => matches!(self, Role::Owner | Role::Editor),
            Permission::ManageUsers => self == Role::Owner,
        }
    }

    /// The scope that calls of the API have when a user with this role makes them.
    pub fn scope(self) -> Scope {
        if self.allows(Permission::Write) { Scope::Write } else { Scope::Read }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        Role::parse(text)
            .ok_or_else(|| format!("'{text}' is not a role: it is owner, editor, analyst or viewer"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_do_what_it_is_for() {
        use Permission::{ManageUsers, Read, ReadPersonalData, Write};
        let of = |role: Role| [Read, ReadPersonalData, Write, ManageUsers].map(|what| role.allows(what));
        assert_eq!(of(Role::Owner), [true, true, true, true]);
        assert_eq!(of(Role::Editor), [true, true, true, false]);
        assert_eq!(of(Role::Analyst), [true, false, false, false]);
        assert_eq!(of(Role::Viewer), [true, true, false, false]);
        assert_eq!(Role::ALL.map(Role::scope), [Scope::Write, Scope::Write, Scope::Read, Scope::Read]);
    }

    #[test]
    fn a_role_is_read_as_it_is_written() {
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        assert!("Owner".parse::<Role>().unwrap_err().contains("owner, editor, analyst or viewer"));
    }
}
