//! Node and the packages of npm that checks are made with; nothing of either reaches the service.
//!
//! A folder's `package-lock.json` says which versions. Invariant: nothing is installed that the lockfile does not name, and no script
//! that a package brings is run.

use std::path::Path;

use crate::shell::{self, Outcome};

/// The oldest Node that everything runs on: major and minor version.
const OLDEST: (u32, u32) = (18, 19);

/// Is there a Node that can run the tools?
pub fn is_there() -> Outcome {
    let (major, minor) = OLDEST;
    let found =
        shell::answer("node", ["--version"]).ok_or(format!("Node {major}.{minor} or later was not found"))?;
    if !shell::on_path("npm") {
        return Err("Node is there, but npm was not found".to_owned());
    }
    if version(&found).is_some_and(|version| version >= OLDEST) {
        Ok(())
    } else {
        Err(format!("Node {found} is older than {major}.{minor}"))
    }
}

/// Major and minor version of `v18.20.4`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim_start_matches('v').split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

/// Installs exactly what a folder's lockfile names, unless that was done before.
pub fn install(folder: &Path) -> Outcome {
    let lock = shell::read(&folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut npm = shell::program("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    shell::run(npm.current_dir(folder))?;
    shell::write(&stamp, lock.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, version};
    use crate::shell;

    #[test]
    fn versions_of_node_are_compared_as_numbers() {
        assert!(version("v18.20.4").unwrap() >= OLDEST);
        assert!(version("v20.2.0").unwrap() >= OLDEST);
        assert!(version("v18.9.0").unwrap() < OLDEST);
        assert_eq!(version("nonsense"), None);
    }

    #[test]
    fn lockfiles_name_no_registry_but_the_default_one() {
        for folder in ["api/tools", "xtask/tools/axe", "xtask/tools/lighthouse"] {
            let lock = std::fs::read_to_string(shell::root().join(folder).join("package-lock.json")).unwrap();
            let resolved: Vec<&str> = lock.lines().filter(|line| line.contains("\"resolved\":")).collect();
            let strange = resolved.iter().find(|line| !line.contains("\"https://registry.npmjs.org/"));
            assert_eq!((folder, strange), (folder, None));
            assert!(lock.contains("\"integrity\": \"sha512-"));
        }
    }
}
