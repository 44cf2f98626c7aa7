//! Who the private PostgreSQL server runs as: the caller, or for root, whom it refuses, the user `postgres` or `nobody`.
//!
//! The change of user is made by the child itself before it starts the program; no `su` or `sudo` is needed for it.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::shell::{self, Outcome};

/// The user and group to change to; none means that we stay who we are.
pub struct User(Option<(u32, u32)>);

impl User {
    /// Chooses the user for this process.
    pub fn for_server() -> Outcome<Self> {
        if !shell::is_root() {
            return Ok(Self(None));
        }
        let accounts = shell::read(Path::new("/etc/passwd"))?;
        match ["postgres", "nobody"].iter().find_map(|name| account(&accounts, name)) {
            Some(account) => Ok(Self(Some(account))),
            None => {
                Err("PostgreSQL does not run as root, and there is no user `postgres` or `nobody`".to_owned())
            }
        }
    }

    /// Gives the folder to this user.
    pub fn own(&self, folder: &Path) -> Outcome {
        let Some((user, group)) = self.0 else { return Ok(()) };
        std::os::unix::fs::chown(folder, Some(user), Some(group))
            .map_err(|error| format!("{}: {error}", folder.display()))
    }

    /// A command that will run as this user, with no other groups. The caller's PostgreSQL settings do not reach it.
    pub fn run(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
        for name in ["PGDATA", "PGHOST", "PGPORT", "PGUSER", "PGOPTIONS"] {
            command.env_remove(name);
        }
        command
    }
}

/// The ids of an account in the text of `/etc/passwd`; root's own never count.
fn account(accounts: &str, name: &str) -> Option<(u32, u32)> {
    let fields: Vec<&str> = accounts
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|f| f.first() == Some(&name))?;
    let (user, group) = (fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?);
    (user != 0).then_some((user, group))
}

#[cfg(test)]
mod tests {
    use super::account;

    #[test]
    fn ids_are_read_from_the_accounts() {
        let accounts =
            "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104:,,,:/var/lib/postgresql:/bin/bash\n";
        assert_eq!(account(accounts, "postgres"), Some((101, 104)));
        assert_eq!(account(accounts, "nobody"), None);
        assert_eq!(account(accounts, "root"), None);
    }
}
