//! What holds for every file or every package of the repository.

use std::fs;

use super::tree::{files, root};

/// A folder of one machine means nothing to others. `concat!` keeps the names of these folders out of this file.
#[test]
fn no_file_names_a_folder_of_one_machine() {
    let folders = [concat!("/", "work", "/"), concat!("/", "root", "/")];
    for (path, text) in files("", "") {
        for (line, number) in text.lines().zip(1..) {
            // Behind a part of a path or of a URL, it is only a name.
            let starts_a_path = |folder: &str| {
                let mut places = line.match_indices(folder);
                places.any(|(at, _)| {
                    !line[..at].ends_with(|before: char| before.is_alphanumeric() || "_.-}/".contains(before))
                })
            };
            assert!(!folders.into_iter().any(starts_a_path), "{path}:{number}: {line}");
        }
    }
}

/// Without `doctest = false`, `cargo test` starts rustdoc for each library, and no library has an example to test.
#[test]
fn packages_take_the_lints_of_the_workspace_and_have_no_doctests() {
    for (path, text) in files("", "Cargo.toml").iter().filter(|(path, _)| *path != "Cargo.toml") {
        let library = root().join(path.replace("Cargo.toml", "src/lib.rs"));
        assert!(text.contains("[lints]\nworkspace = true\n"), "{path}");
        assert!(!library.exists() || text.contains("[lib]\ndoctest = false\n"), "{path}");
    }
}

/// A slice shows others its use cases and views. What it serves and shows is its own: Cargo holds the arrows between crates, and the
/// compiler these. What a slice gives others of its pages is listed here.
#[test]
fn slices_keep_their_operations_and_pages_to_themselves() {
    const GIVEN: [&str; 4] = [
        "console::{CALLBACK, callback, find}",
        "console::import_jobs::ImportJobs",
        "console::campaign_figures::CAMPAIGN_FIGURES",
        "pages::PAGES",
    ];
    let is_own = |name: &str| ["api", "console", "pages"].contains(&name) || name.ends_with("_api");
    let mut modules = 0;
    for slice in ["access", "catalogue", "campaigns", "points", "events", "reports", "exchange", "shop"] {
        for (path, text) in files(&format!("crates/{slice}/src"), ".rs") {
            for line in text.lines().map(str::trim_start) {
                let code = line.split([';', '/']).next().unwrap_or_default().trim_end_matches([' ', '{']);
                let visible = code.strip_prefix("pub ");
                if let Some(name) = visible.unwrap_or(code).rsplit_once("mod ").map(|(_, name)| name)
                    && is_own(name)
                {
                    modules += 1;
                    assert_eq!(visible, None, "{path}: {line}");
                }
                if let Some(given) = visible.and_then(|code| code.strip_prefix("use "))
                    && !given.starts_with("pointbook_http::")
                {
                    let is_given = GIVEN.iter().any(|known| given.ends_with(known));
                    assert!(is_given || !given.split("::").any(is_own), "{path}: {line}");
                }
            }
        }
    }
    assert!(modules > 30, "{modules} modules are too few: does the test still find them?");
}

/// A path in a README of a room is one of the room, of its `src`, or of `crates`.
#[test]
fn paths_in_the_pages_about_the_code_exist() {
    let mut paths = 0;
    let pages = files("crates", "README.md").into_iter().chain(files("testkit", "README.md"));
    let pages = pages
        .chain([("ARCHITECTURE.md".to_owned(), fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap())]);
    for (page, text) in pages {
        let room = page.strip_suffix("README.md").unwrap_or_default();
        let quoted = text.split('`').skip(1).step_by(2).filter(|text| is_path(text));
        // A page of no room names files that several folders have.
        for path in quoted.filter(|path| !room.is_empty() || path.contains('/')) {
            paths += 1;
            let (first, rest) = path.split_once('/').unwrap_or((path, ""));
            let places = [
                format!("{room}{path}"),
                format!("{room}src/{path}"),
                format!("crates/{path}"),
                format!("crates/{first}/src/{rest}"),
                path.to_owned(),
            ];
            assert!(places.iter().any(|place| root().join(place).exists()), "{page}: {path}");
        }
    }
    assert!(paths > 150, "{paths} paths are too few");
}

/// Whether a text in backticks is a path of a file or a folder, and not an address or a name of several files.
fn is_path(text: &str) -> bool {
    let is_of_path = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    !text.starts_with('/') && text.contains(['/', '.']) && text.chars().all(is_of_path)
}
