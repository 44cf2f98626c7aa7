//! The lists of modules and of migrations that `cargo x gen` completes, so that a new file of a noun needs no line written by hand.
//!
//! Only what is missing is added: a line that is there keeps its visibility, and a line whose file is gone stays for the compiler to
//! complain about.

use std::collections::BTreeSet;
use std::path::Path;

use crate::shell::{self, Outcome};

/// The files that list modules, each with the folder that the modules are in.
pub const LISTS: [(&str, &str); 7] = [
    ("crates/model/src/lib.rs", "crates/model/src"),
    ("crates/store/src/tables.rs", "crates/store/src/tables"),
    ("crates/operations/src/lib.rs", "crates/operations/src"),
    ("crates/http/src/api.rs", "crates/http/src/api"),
    ("crates/http/src/routes.rs", "crates/http/src/routes"),
    ("crates/testkit/src/samples.rs", "crates/testkit/src/samples"),
    ("crates/pagesmith/tests/it/main.rs", "crates/pagesmith/tests/it"),
];

/// The file that lists the migrations.
pub const MIGRATIONS: &str = "crates/store/src/migrate.rs";

/// The text of a file of [`LISTS`] with a line for each module of its folder.
pub fn of_modules(file: &str, folder: &str) -> Outcome<Vec<u8>> {
    let found = names(&shell::root().join(folder))?;
    let modules = found.iter().filter_map(|name| name.strip_suffix(".rs"));
    let text = shell::read(&shell::root().join(file))?;
    let complete = with_modules(&text, modules.filter(|name| !matches!(*name, "lib" | "main")));
    complete.map(String::into_bytes).ok_or_else(|| format!("{file} has no list of modules"))
}

/// Is this the name of a migration, `0001_initial.sql`?
pub fn numbered(name: &str) -> bool {
    name.split_once('_').is_some_and(|(number, rest)| {
        number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit()) && rest.ends_with(".sql")
    })
}

/// The text of [`MIGRATIONS`] with a line for each migration.
pub fn of_migrations() -> Outcome<Vec<u8>> {
    let found = names(&shell::root().join("migrations"))?;
    let migrations = found.iter().filter(|name| numbered(name)).filter_map(|name| name.strip_suffix(".sql"));
    let text = shell::read(&shell::root().join(MIGRATIONS))?;
    let complete = with_migrations(&text, migrations);
    complete.map(String::into_bytes).ok_or_else(|| format!("{MIGRATIONS} has no list of migrations"))
}

/// The names of the files in a folder, in order.
fn names(folder: &Path) -> Outcome<BTreeSet<String>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}

/// Adds the modules that a text does not declare to its first block of declarations; `None` if it has none.
fn with_modules<'a>(text: &str, modules: impl Iterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| declaration(line).is_some())?;
    let length = lines[start..].iter().take_while(|line| declaration(line).is_some()).count();
    let declared: BTreeSet<&str> =
        lines.iter().filter_map(|line| declaration(line.trim())).map(|(_, name)| name).collect();
    let block: Vec<(&str, &str)> =
        lines[start..start + length].iter().filter_map(|line| declaration(line)).collect();
    let usual = *block.iter().map(|(visibility, _)| visibility).max_by_key(|one| uses(&block, one))?;
    let missing = modules.filter(|name| !declared.contains(name)).map(|name| (usual, name));
    let mut complete: Vec<(&str, &str)> = block.iter().copied().chain(missing).collect();
    complete.sort_by_key(|(_, name)| *name);
    let complete = complete.iter().map(|(visibility, name)| format!("{visibility}mod {name};"));
    let before = lines[..start].iter().map(|line| (*line).to_owned());
    let after = lines[start + length..].iter().map(|line| (*line).to_owned());
    Some(before.chain(complete).chain(after).map(|line| line + "\n").collect())
}

fn uses(block: &[(&str, &str)], visibility: &str) -> usize {
    block.iter().filter(|(one, _)| *one == visibility).count()
}

/// The visibility, with the blank after it, and the name of a module that a line declares.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let (visibility, rest) = line.split_at(line.find("mod ")?);
    let name = rest.strip_prefix("mod ")?.strip_suffix(';')?;
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    (plain && matches!(visibility, "" | "pub " | "pub(crate) ")).then_some((visibility, name))
}

/// Adds the migrations that a text does not name to the end of its list; `None` if it has none.
fn with_migrations<'a>(text: &str, migrations: impl Iterator<Item = &'a str>) -> Option<String> {
    let start = text.find("const MIGRATIONS")?;
    let end = start + text[start..].find("\n];")? + 1;
    let mut complete = text[..end].to_owned();
    for name in migrations {
        if !text[start..end].contains(&format!("\"{name}\"")) {
            complete += &format!("    (\"{name}\", include_str!(\"../../../migrations/{name}.sql\")),\n");
        }
    }
    Some(complete + &text[end..])
}

#[cfg(test)]
mod tests {
    use super::{numbered, with_migrations, with_modules};

    #[test]
    fn a_module_gets_its_line_in_order_and_the_others_keep_theirs() {
        let text =
            "//! Handlers.\n\npub(crate) mod a;\nmod b;\npub(crate) mod d;\n\n#[cfg(test)]\nmod tests;\n";
        let complete = with_modules(text, ["a", "b", "c", "d", "tests"].into_iter()).unwrap();
        assert_eq!(complete, text.replace("pub(crate) mod d;", "pub(crate) mod c;\npub(crate) mod d;"));
        assert_eq!(with_modules(&complete, ["a", "b", "c"].into_iter()).as_ref(), Some(&complete));
    }

    #[test]
    fn a_text_without_modules_is_told() {
        assert_eq!(with_modules("fn mod_of() {}\n", ["a"].into_iter()), None);
        assert_eq!(with_migrations("const TABLES: u8 = 1;\n", ["0001_a"].into_iter()), None);
    }

    #[test]
    fn a_migration_comes_last() {
        let line =
            |name: &str| format!("    (\"{name}\", include_str!(\"../../../migrations/{name}.sql\")),\n");
        let list = |lines: String| {
            format!("const MIGRATIONS: &[(&str, &str)] = &[\n{lines}];\nconst B: [u8; 0] = [\n];\n")
        };
        let complete = with_migrations(&list(line("0001_a")), ["0001_a", "0002_b"].into_iter());
        assert_eq!(complete, Some(list(line("0001_a") + &line("0002_b"))));
    }

    #[test]
    fn only_numbered_files_are_migrations() {
        assert!(numbered("0001_initial.sql"));
        assert!(!numbered("schema.sql") && !numbered("001_x.sql") && !numbered("0001_x.txt"));
    }
}
