//! No circles between the modules of a crate: a reader can take each of them by itself, from the bottom to the top.
//!
//! A module uses another where a path outside of tests begins with `crate::` or `super::` and leads into it. Parents
//! and children may use each other. Paths inside of macros' own tokens count like others.
//!
//! The rule holds for each file, and again for the modules below one parent, each taken as one with all that is below it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{Code, Kind, Token};
use super::{Finding, Source};

/// A module, as the names from the crate's root to it.
type Module = Vec<String>;

/// Modules, each with those that it uses and the place of the first use.
type Uses<'a> = BTreeMap<Module, BTreeMap<Module, (&'a Source, usize)>>;

/// The modules of one crate, and what uses what.
#[derive(Default)]
struct Crate<'a> {
    modules: BTreeSet<Module>,
    uses: Uses<'a>,
}

/// Checks the files of all crates.
pub fn check(files: &[(&Source, Code)]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Crate<'_>> = BTreeMap::new();
    let mut for_tests: BTreeSet<(&str, Module)> = BTreeSet::new();
    for (source, code) in files {
        if let Some((root, module)) = place(source) {
            let declared = code.test_modules.iter().map(|name| (root, below(&module, name)));
            for_tests.extend(declared);
            crates.entry(root).or_default().modules.insert(module);
        }
    }
    for (source, code) in files {
        if let Some((root, module)) = place(source)
            && let Some(known) = crates.get_mut(root)
            && !(1..=module.len()).any(|length| for_tests.contains(&(root, module[..length].to_vec())))
        {
            let uses = uses(&known.modules, &module, &code.tokens);
            let places = uses.into_iter().map(|(used, line)| (used, (*source, line)));
            known.uses.insert(module, places.collect());
        }
    }
    crates.values().flat_map(|known| circles([&known.uses, &of_folders(&known.uses)])).collect()
}

/// The same uses between modules below one parent, each with all that is below it.
fn of_folders<'a>(uses: &Uses<'a>) -> Uses<'a> {
    let mut of_folders = Uses::new();
    for (module, used) in uses {
        for (other, place) in used {
            let shared = module.iter().zip(other).take_while(|(one, other)| one == other).count();
            let [from, to] = [module, other].map(|path| path[..=shared].to_vec());
            of_folders.entry(from).or_default().entry(to).or_insert(*place);
        }
    }
    of_folders
}

/// The crate's folder and the module that a file is; nothing for a file that is no module of a crate.
fn place(source: &Source) -> Option<(&str, Module)> {
    let (root, rest) = source.path.strip_suffix(".rs")?.split_once("/src/")?;
    let names = rest.split('/').filter(|name| !["lib", "main"].contains(name));
    Some((root, names.map(str::to_owned).collect()))
}

fn below(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// What a module uses, other than its parents and children.
fn uses(modules: &BTreeSet<Module>, module: &Module, tokens: &[Token]) -> BTreeMap<Module, usize> {
    let mut used = BTreeMap::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((base, start)) = beginning(module, tokens, at).filter(|_| !tokens[at].for_tests) else {
            at += 1;
            continue;
        };
        let mut paths = Vec::new();
        let end = read(tokens, start, &base, &mut paths);
        for path in paths {
            let lengths = (1..=path.len()).rev();
            let target = lengths.map(|length| &path[..length]).find(|part| modules.contains(*part));
            if let Some(target) =
                target.filter(|target| !target.starts_with(module) && !module.starts_with(target))
            {
                used.entry(target.to_vec()).or_insert(tokens[at].line);
            }
        }
        at = end.max(at + 1);
    }
    used
}

/// The module that a path starts from and where the path goes on, if one begins here with `crate::` or `super::`.
fn beginning(module: &Module, tokens: &[Token], mut at: usize) -> Option<(Module, usize)> {
    if tokens[at].word("crate") {
        return is_separator(tokens, at + 1).then(|| (Module::new(), at + 3));
    }
    let mut base = module.clone();
    let first = at;
    while tokens.get(at).is_some_and(|token| token.word("super")) && is_separator(tokens, at + 1) {
        base.pop();
        at += 3;
    }
    (at > first).then_some((base, at))
}

fn is_separator(tokens: &[Token], at: usize) -> bool {
    tokens.get(at..at + 2).is_some_and(|two| two.iter().all(|token| token.mark(':')))
}

/// Reads a path, or a tree of paths in braces, behind a base; returns where it ends.
fn read(tokens: &[Token], mut at: usize, base: &[String], paths: &mut Vec<Module>) -> usize {
    let mut path = base.to_vec();
    while let Some(token) = tokens.get(at) {
        if token.kind == Kind::Word {
            path.push(token.text.clone());
            at += 1;
            if !is_separator(tokens, at) {
                break;
            }
            at += 2;
        } else if token.mark('{') {
            at += 1;
            while tokens.get(at).is_some_and(|token| !token.mark('}')) {
                // Commas and new names (`as`) are passed over.
                let is_name = tokens[at].kind == Kind::Word && !tokens[at].word("as") || tokens[at].mark('{');
                at = if is_name {
                    read(tokens, at, &path, paths)
                } else {
                    at + 1 + usize::from(tokens[at].word("as"))
                };
            }
            return at + 1;
        } else {
            break;
        }
    }
    paths.push(path);
    at
}

/// A finding for each circle, also if more than one of the levels has it.
fn circles(levels: [&Uses<'_>; 2]) -> Vec<Finding> {
    let (mut seen, mut findings) = (BTreeSet::new(), Vec::new());
    for of in levels {
        for (module, uses) in of {
            for (used, (source, line)) in uses {
                let Some(circle) = way_back(of, used, module) else { continue };
                let way: String = circle.windows(2).map(|step| described(of, step)).collect();
                if seen.insert(circle.into_iter().collect::<BTreeSet<_>>()) {
                    let (module, used) = (module.join("::"), used.join("::"));
                    let reason = format!(
                        "`{module}` and `{used}` use each other in a circle (… → {used}{way}); move what both need \
                         to a module of its own"
                    );
                    findings.push(source.finding(*line, reason));
                }
            }
        }
    }
    findings
}

/// The second module of a step along the uses, and where the first one uses it.
fn described(of: &Uses<'_>, step: &[&Module]) -> String {
    let place = of.get(step[0]).and_then(|uses| uses.get(step[1]));
    let place = place.map(|(source, line)| format!(" at {}:{line}", source.path)).unwrap_or_default();
    format!(" → {}{place}", step[1].join("::"))
}

/// The shortest way from a module to another along the uses.
fn way_back<'a>(of: &'a Uses<'_>, from: &'a Module, to: &'a Module) -> Option<Vec<&'a Module>> {
    let mut before: BTreeMap<&Module, Option<&Module>> = BTreeMap::from([(from, None)]);
    let mut queue = VecDeque::from([from]);
    while let Some(module) = queue.pop_front() {
        if module == to {
            let mut way: Vec<&Module> = std::iter::successors(Some(module), |at| before[*at]).collect();
            way.reverse();
            return Some(way);
        }
        for next in of.get(module).into_iter().flat_map(BTreeMap::keys) {
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                Some(module)
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let source =
            |(path, text): &(&str, &str)| Source { path: (*path).to_owned(), text: (*text).to_owned() };
        let sources: Vec<Source> = files.iter().map(source).collect();
        let files: Vec<(&Source, Code)> =
            sources.iter().map(|source| (source, Code::read(&source.text).unwrap())).collect();
        check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_that_use_each_other_are_found_at_the_use() {
        let files =
            [("a/src/one.rs", "\nuse crate::two::Two;"), ("a/src/two.rs", "fn f() { crate::one::g() }")];
        let [finding] = found(&files).try_into().unwrap();
        assert!(finding.starts_with("a/src/one.rs:2: `one` and `two`"), "{finding}");
    }

    #[test]
    fn longer_circles_are_found_once() {
        let files = [
            ("a/src/lib.rs", "mod one; mod two; mod three;"),
            ("a/src/one.rs", "use crate::{two::{Two as _, Other}, four};"),
            ("a/src/two.rs", "use super::three;"),
            ("a/src/three/deep.rs", "use super::super::one;"),
            ("a/src/three.rs", "use crate::four; use crate::one;"),
            ("a/src/four.rs", ""),
        ];
        let findings = found(&files);
        assert_eq!(findings.len(), 1, "{findings:#?}");
        assert!(findings[0].contains("two → three at a/src/two.rs:1 → one at"), "{findings:#?}");
    }

    #[test]
    fn folders_that_use_each_other_are_found_though_no_two_files_do() {
        let files = [
            ("a/src/one.rs", "mod deep;"),
            ("a/src/one/deep.rs", "\n\nuse crate::two;"),
            ("a/src/one/other.rs", "use super::deep;"),
            ("a/src/two.rs", "use crate::three::deep;"),
            ("a/src/two/deep.rs", "use crate::{three, one::{Unknown, other}};"),
            ("a/src/three.rs", ""),
            ("a/src/three/deep.rs", ""),
            ("a/src/three/tests.rs", "#![cfg(test)] use crate::one;"),
        ];
        let [finding] = found(&files).try_into().unwrap();
        assert!(finding.starts_with("a/src/one/deep.rs:3: `one` and `two`"), "{finding}");
        assert!(finding.contains("(… → two → one at a/src/two/deep.rs:1)"), "{finding}");
    }

    #[test]
    fn folders_below_one_parent_are_compared_too() {
        let files = [
            ("a/src/top/one.rs", ""),
            ("a/src/top/one/deep.rs", "use crate::top::two;"),
            ("a/src/top/two.rs", "use super::three::deep;"),
            ("a/src/top/three.rs", ""),
            ("a/src/top/three/deep.rs", "use crate::top::one;"),
        ];
        let [finding] = found(&files).try_into().unwrap();
        assert!(finding.starts_with("a/src/top/one/deep.rs:1: `top::one` and `top::two`"), "{finding}");
    }

    #[test]
    fn a_longer_circle_of_folders_is_found_once() {
        let files = [
            ("a/src/one/top.rs", "use crate::two::low;"),
            ("a/src/one/low.rs", ""),
            ("a/src/two/top.rs", "use crate::three::low;"),
            ("a/src/two/low.rs", ""),
            ("a/src/three/top.rs", "use crate::one::low;"),
            ("a/src/three/low.rs", ""),
        ];
        let findings = found(&files);
        assert_eq!(findings.len(), 1, "{findings:#?}");
    }

    #[test]
    fn parents_children_tests_and_other_crates_do_not_count() {
        let files = [
            ("a/src/one.rs", "use crate::one::deep::Deep; use crate::two::Two;"),
            ("a/src/one/deep.rs", "use super::One; use crate::one::other::Other;"),
            ("a/src/one/other.rs", ""),
            ("a/src/two.rs", "#[cfg(test)] mod tests { use crate::one::One; }"),
            ("b/src/two.rs", "use crate::one::One;"),
            ("b/src/one.rs", "// crate::two::Two"),
            ("c/src/one.rs", "#[cfg(test)] mod tests; pub(crate) fn f() {}"),
            ("c/src/one/tests.rs", "use crate::two;"),
            ("c/src/two.rs", "use crate::one;"),
        ];
        assert_eq!(found(&files), Vec::<String>::new());
    }
}
