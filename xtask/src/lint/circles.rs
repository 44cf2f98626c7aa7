//! No circles between the modules of a crate: a reader can take each of them by itself, from the bottom to the top.
//!
//! A module uses another where a path outside of tests begins with `crate::` or `super::` and leads into it. Parents
//! and children may use each other. Paths inside of macros' own tokens count like others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{Code, Kind, Token};
use super::{Finding, Source};

/// A module, as the names from the crate's root to it.
type Module = Vec<String>;

/// The modules of one crate, each with those that it uses and the line of the first use.
#[derive(Default)]
struct Crate<'a> {
    modules: BTreeMap<Module, &'a Source>,
    uses: BTreeMap<Module, BTreeMap<Module, usize>>,
}

/// Checks the files of all crates.
pub fn check(files: &[(&Source, Code)]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Crate<'_>> = BTreeMap::new();
    let mut for_tests: BTreeSet<(&str, Module)> = BTreeSet::new();
    for (source, code) in files {
        if let Some((root, module)) = place(source) {
            let declared = code.test_modules.iter().map(|name| (root, below(&module, name)));
            for_tests.extend(declared);
            crates.entry(root).or_default().modules.insert(module, source);
        }
    }
    for (source, code) in files {
        if let Some((root, module)) = place(source)
            && let Some(known) = crates.get_mut(root)
            && !(1..=module.len()).any(|length| for_tests.contains(&(root, module[..length].to_vec())))
        {
            let uses = uses(&known.modules, &module, &code.tokens);
            known.uses.insert(module, uses);
        }
    }
    crates.values().flat_map(circles).collect()
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
fn uses(modules: &BTreeMap<Module, &Source>, module: &Module, tokens: &[Token]) -> BTreeMap<Module, usize> {
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
            let target = lengths.map(|length| &path[..length]).find(|part| modules.contains_key(*part));
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

/// A finding for each circle.
fn circles(of: &Crate<'_>) -> Vec<Finding> {
    let (mut seen, mut findings) = (BTreeSet::new(), Vec::new());
    for (module, uses) in &of.uses {
        for (used, line) in uses {
            let Some(circle) = way_back(of, used, module) else { continue };
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            if seen.insert(circle.into_iter().collect::<BTreeSet<_>>())
                && let Some(source) = of.modules.get(module)
            {
                let reason = format!(
                    "`{}` and `{}` use each other in a circle (… → {}); move what both need to a module of its own",
                    module.join("::"),
                    used.join("::"),
                    names.join(" → ")
                );
                findings.push(source.finding(*line, reason));
            }
        }
    }
    findings
}

/// The shortest way from a module to another along the uses.
fn way_back<'a>(of: &'a Crate<'_>, from: &'a Module, to: &'a Module) -> Option<Vec<&'a Module>> {
    let mut before: BTreeMap<&Module, Option<&Module>> = BTreeMap::from([(from, None)]);
    let mut queue = VecDeque::from([from]);
    while let Some(module) = queue.pop_front() {
        if module == to {
            let mut way: Vec<&Module> = std::iter::successors(Some(module), |at| before[*at]).collect();
            way.reverse();
            return Some(way);
        }
        for next in of.uses.get(module).into_iter().flat_map(BTreeMap::keys) {
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
        assert!(findings[0].contains("two → three → one"), "{findings:#?}");
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
