//! The rooms of each crate stand in the order that the first page of `CONTRIBUTING.md` lists: a room
//! uses only those above it in its table, and no files use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

use crate::repository::root;

/// The module of a file, such as `["plan", "node"]`. That of `lib.rs` is empty.
type Module = Vec<String>;

/// What a crate's files name in their `use` lines.
#[derive(Default)]
struct House {
    /// The text of each file, by its module.
    files: BTreeMap<Module, String>,
    /// The modules that a file uses, each with the number of the line.
    uses: BTreeMap<Module, Vec<(Module, usize)>>,
}

impl House {
    fn read(source: &Path) -> Self {
        let mut house = Self::default();
        house.add_files(source, &[]);
        let parsed: Vec<_> = house
            .files
            .iter()
            .map(|(module, text)| (module.clone(), syn::parse_file(text).unwrap()))
            .collect();
        for (module, file) in parsed {
            let mut uses = Uses { file: module.clone(), here: module.clone(), paths: Vec::new() };
            uses.visit_file(&file);
            let found = uses.paths.into_iter().filter_map(|(path, line)| {
                let file = house.file_of(&path)?;
                // A module and the files below it are one.
                let is_one = file.starts_with(&module) || module.starts_with(&file);
                (!is_one).then_some((file, line))
            });
            let found = found.collect();
            house.uses.insert(module, found);
        }
        house
    }

    fn add_files(&mut self, folder: &Path, module: &[String]) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let module = match &*name {
                "lib" => Vec::new(),
                _ => [module, &[name]].concat(),
            };
            if path.is_dir() {
                self.add_files(&path, &module);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.files.insert(module, fs::read_to_string(path).unwrap());
            }
        }
    }

    /// Returns the file that has the item of a path.
    fn file_of(&self, path: &[String]) -> Option<Module> {
        let lengths = (1..=path.len()).rev();
        lengths
            .map(|length| &path[..length])
            .find(|start| self.files.contains_key(*start))
            .map(<[_]>::to_vec)
    }

    /// Returns the files that a file uses, at any distance.
    fn reached(&self, from: &Module) -> BTreeSet<&Module> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for (next, _) in self.uses.get(file).into_iter().flatten() {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }
}

/// Collects the paths of `use` lines, but for those of unit tests.
struct Uses {
    file: Module,
    /// The module of the line: that of the file, or one inside it.
    here: Module,
    paths: Vec<(Module, usize)>,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Mod(module) => &module.attrs,
            Item::Use(line) => &line.attrs,
            _ => &[],
        };
        // `cfg(test)`, or `cfg(all(test, …))`.
        let is_test = |attribute: &Attribute| {
            let condition = attribute.meta.require_list().map(|list| list.tokens.to_string());
            let condition = condition.unwrap_or_default();
            attribute.path().is_ident("cfg")
                && (condition == "test" || condition.starts_with("all (test ,"))
        };
        if !attributes.iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.here.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.here.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        // A module that exports a name only hands it on.
        if !matches!(item.vis, Visibility::Inherited) {
            return;
        }
        let mut paths = Vec::new();
        flatten(&item.tree, Vec::new(), &mut paths);
        let line = item.use_token.span.start().line;
        for path in paths {
            if let Some(path) = self.resolved(&path) {
                self.paths.push((path, line));
            }
        }
    }
}

impl Uses {
    /// Returns a path of this crate from its root.
    fn resolved(&self, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let mut at = match &**first {
            "crate" => Vec::new(),
            "self" => self.here.clone(),
            "super" => self.here.split_last()?.1.to_vec(),
            _ => return None,
        };
        for segment in rest {
            if segment == "super" {
                at.pop();
            } else {
                at.push(segment.clone());
            }
        }
        // A module inside the file is the file's own.
        (!at.starts_with(&self.file) || at.len() > self.file.len()).then_some(at)
    }
}

fn flatten(tree: &UseTree, mut start: Module, paths: &mut Vec<Module>) {
    match tree {
        UseTree::Path(path) => {
            start.push(path.ident.to_string());
            flatten(&path.tree, start, paths);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, start.clone(), paths);
            }
        }
        UseTree::Name(name) if name.ident == "self" => paths.push(start),
        UseTree::Name(name) => paths.push([start, vec![name.ident.to_string()]].concat()),
        UseTree::Rename(name) if name.ident == "self" => paths.push(start),
        UseTree::Rename(name) => paths.push([start, vec![name.ident.to_string()]].concat()),
        UseTree::Glob(_) => paths.push(start),
    }
}

/// A table of the first page: the rooms of a crate from the ground up, and what its text allows.
struct Order {
    source: String,
    rooms: Vec<String>,
    /// A room, and one above it that it uses all the same.
    upward: BTreeSet<(String, String)>,
    /// The rooms with a circle of files.
    circles: BTreeSet<String>,
}

/// Reads the tables of `CONTRIBUTING.md`. Each follows a heading that names a folder of sources.
fn orders() -> Vec<Order> {
    let page = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let mut orders = Vec::new();
    for section in page.split("\n### `").skip(1) {
        let (source, text) = section.split_once('`').unwrap();
        if !source.ends_with("/src") {
            continue;
        }
        let text = text.split("\n## ").next().unwrap();
        let quoted =
            |line: &str| line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let mut order = Order {
            source: source.to_owned(),
            rooms: Vec::new(),
            upward: BTreeSet::new(),
            circles: BTreeSet::new(),
        };
        for line in text.lines() {
            if let Some(row) = line.strip_prefix("| `") {
                order.rooms.push(row.split('`').next().unwrap().to_owned());
            } else if let Some(exception) = line.strip_prefix("- Upward: ") {
                let names = quoted(exception);
                order.upward.insert((names[0].clone(), names[1].clone()));
            } else if let Some(exception) = line.strip_prefix("- Circle: ") {
                order.circles.insert(quoted(exception)[0].clone());
            }
        }
        orders.push(order);
    }
    assert_eq!(orders.len(), 3, "the runtime's two crates, and the macros");
    orders
}

/// The file of a module, as a path in the repository.
fn path_of(source: &str, module: &Module) -> String {
    format!("{source}/{}.rs", if module.is_empty() { "lib".into() } else { module.join("/") })
}

/// A path may leave out its beginning.
#[test]
fn the_pages_for_contributors_name_files_that_exist() {
    let files = sources();
    let mut seen = 0;
    for page in
        ["CONTRIBUTING.md", ".github/contributing/adding.md", ".github/contributing/ways.md"]
    {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs")) {
            let is_there = |file: &String| {
                file.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            assert!(files.iter().any(is_there), "{page}: `{name}`");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

/// Returns the sources of the repository.
fn sources() -> Vec<String> {
    let mut open =
        ["macros", "runtime", "tests", "examples"].map(|name| root().join(name)).to_vec();
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    files
}

#[test]
fn rooms_use_only_those_below_them() {
    let mut mistakes = Vec::new();
    for order in orders() {
        let house = House::read(&root().join(&order.source));
        let floor = |room: &str| order.rooms.iter().position(|listed| listed == room);
        let mut upward = BTreeSet::new();
        for (file, uses) in &house.uses {
            let Some(room) = file.first() else { continue };
            let Some(own) = floor(room) else {
                mistakes.push(format!(
                    "{}: the room `{room}` is in no table",
                    path_of(&order.source, file)
                ));
                continue;
            };
            for (used, line) in uses {
                let Some(other) = used.first().and_then(|other| floor(other)) else { continue };
                let arrow = (room.clone(), used[0].clone());
                if other <= own {
                    continue;
                }
                if !order.upward.contains(&arrow) {
                    mistakes.push(format!(
                        "{}:{line}: `{}` uses `{}`, which is above it",
                        path_of(&order.source, file),
                        arrow.0,
                        arrow.1,
                    ));
                }
                upward.insert(arrow);
            }
        }
        for (from, to) in order.upward.difference(&upward) {
            mistakes.push(format!("{}: nothing in `{from}` uses `{to}` any more", order.source));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut mistakes = Vec::new();
    for order in orders() {
        let house = House::read(&root().join(&order.source));
        for (file, uses) in &house.uses {
            let Some(room) = file.first() else { continue };
            if order.circles.contains(room) {
                continue;
            }
            for (used, line) in uses {
                if house.reached(used).contains(file) {
                    mistakes.push(format!(
                        "{}:{line}: `{}` uses this file, too",
                        path_of(&order.source, file),
                        used.join("::"),
                    ));
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
