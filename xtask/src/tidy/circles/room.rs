//! The imports between the files of a room.

use std::collections::{BTreeMap, BTreeSet};

use super::super::source::Source;
use super::mentions::{Import, Mentions, mentions};

/// The path of a module, from the root of its crate.
type Module<'s> = Vec<&'s str>;

/// How many re-exports of a name are followed, in case they form a circle.
const HOPS_MAX: usize = 16;

/// The files of one crate by their modules.
pub(super) struct Room<'s> {
    files: BTreeMap<Module<'s>, File<'s>>,
}

struct File<'s> {
    path: &'s str,
    imports: BTreeMap<&'s str, Import<'s>>,
    paths: Vec<Vec<&'s str>>,
}

impl<'s> Room<'s> {
    /// The room with its sources in this folder.
    pub(super) fn new(folder: &str, sources: &'s [Source]) -> Self {
        let own = sources.iter().filter(|source| !source.is_test(1));
        let files = own.filter_map(|source| {
            let module = module_of(source.path().strip_prefix(folder)?.strip_prefix('/')?)?;
            let Mentions { imports, paths } = mentions(source);
            let imports = imports.into_iter().map(|import| (import.name, import)).collect();
            Some((module, File { path: source.path(), imports, paths }))
        });
        Self { files: files.collect() }
    }

    /// Every file, and the files whose names it uses. A re-exported name (`pub use`) counts for the file that declares it:
    /// the file with the re-export does not use the name, and importers of the name do not use that file.
    pub(super) fn imports(&self) -> BTreeMap<&'s str, BTreeSet<&'s str>> {
        let files = self.files.iter().map(|(module, file)| {
            let used = file.imports.values().filter(|import| !import.is_public);
            let used = used.map(|import| &import.path).chain(&file.paths);
            let targets = used.filter_map(|path| self.target(module, path, HOPS_MAX));
            (file.path, targets.filter(|target| *target != file.path).collect())
        });
        files.collect()
    }

    /// The file that declares the item of a path in a module. `None` for other crates and for modules themselves.
    fn target(&self, module: &[&'s str], path: &[&'s str], hops: usize) -> Option<&'s str> {
        let (&first, rest) = path.split_first()?;
        match first {
            "crate" => self.below(&[], rest, hops),
            "self" => self.below(module, rest, hops),
            "super" => {
                let (_, parent) = module.split_last()?;
                let is_higher = rest.first() == Some(&"super");
                if is_higher { self.target(parent, rest, hops) } else { self.below(parent, rest, hops) }
            }
            name if self.files.get(module)?.imports.contains_key(name) => self.below(module, path, hops),
            name if self.files.contains_key(&child(module, name)) => {
                self.below(&child(module, name), rest, hops)
            }
            _ => None,
        }
    }

    /// The file that declares the item of a path relative to a module.
    fn below(&self, module: &[&'s str], path: &[&'s str], hops: usize) -> Option<&'s str> {
        let (&first, rest) = path.split_first()?;
        let inner = child(module, first);
        if self.files.contains_key(&inner) {
            return self.below(&inner, rest, hops);
        }
        let file = self.files.get(module)?;
        let Some(import) = file.imports.get(first) else { return Some(file.path) };
        // A name that equals the name of its crate means that crate.
        if import.path.first() == Some(&first) {
            return None;
        }
        let further: Vec<_> = import.path.iter().chain(rest).copied().collect();
        self.target(module, &further, hops.checked_sub(1)?)
    }
}

fn child<'s>(module: &[&'s str], name: &'s str) -> Module<'s> {
    [module, &[name]].concat()
}

/// The module of a file, from its path below `src`. `None` for a program beside the library.
fn module_of(path: &str) -> Option<Module<'_>> {
    let mut module: Module<'_> = path.strip_suffix(".rs")?.split('/').collect();
    if module == ["main"] || module.first() == Some(&"bin") {
        return None;
    }
    module.pop_if(|last| matches!(*last, "mod" | "lib"));
    Some(module)
}
