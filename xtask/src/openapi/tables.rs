//! Fills the tables of documents that follow from the code. A document says where a table is:
//!
//! ```text
//! <!-- made by `cargo xtask openapi`: NAME -->
//! <!-- end -->
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

const START: &str = "<!-- made by `cargo xtask openapi`: ";
const START_ENDS: &str = " -->\n";
const END: &str = "<!-- end -->";

/// The documents below `folder` that have such tables, filled.
pub(super) fn fill(folder: &Path, tables: &Value) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let tables = tables.as_object().context("the tables are no object")?;
    let (mut filled, mut used) = (Vec::new(), BTreeSet::new());
    for path in documents(folder)? {
        let text = fs::read_to_string(&path)?;
        if text.contains(START) {
            let new = filled_with(&text, |name| {
                used.insert(name.to_owned());
                tables.get(name).and_then(Value::as_str)
            });
            filled.push((path.clone(), new.with_context(|| path.display().to_string())?.into_bytes()));
        }
    }
    let unused: Vec<_> = tables.keys().filter(|name| !used.contains(*name)).collect();
    ensure!(unused.is_empty(), "no document has the tables {unused:?}");
    Ok(filled)
}

fn documents(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(documents(&path)?);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn filled_with<'t>(text: &str, mut table: impl FnMut(&str) -> Option<&'t str>) -> Result<String> {
    let (mut new, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(START) {
        let (name, after) = after.split_once(START_ENDS).context("a mark of a table has no name")?;
        let (_, after) = after.split_once(END).with_context(|| format!("the table {name:?} has no end"))?;
        let table = table(name).with_context(|| format!("there is no table {name:?}"))?;
        new.extend([before, START, name, START_ENDS, "\n", table, "\n", END]);
        rest = after;
    }
    Ok(new + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "<!-- made by `cargo xtask openapi`: ";

    fn filled(text: &str) -> Result<String> {
        filled_with(text, |name| (name == "a b").then_some("new\n"))
    }

    #[test]
    fn words_around_a_table_stay_and_a_second_time_changes_nothing() {
        let once = filled(&format!("x\n\n{MARK}a b -->\nold\n<!-- end -->\n\ny\n")).unwrap();
        assert_eq!(once, format!("x\n\n{MARK}a b -->\n\nnew\n\n<!-- end -->\n\ny\n"));
        assert_eq!(filled(&once).unwrap(), once);
    }

    #[test]
    fn unknown_table_and_missing_end_are_errors() {
        let error = |text: String| filled(&text).unwrap_err().to_string();
        assert_eq!(error(format!("{MARK}b -->\n<!-- end -->")), "there is no table \"b\"");
        assert_eq!(error(format!("{MARK}a b -->\n")), "the table \"a b\" has no end");
    }
}
