//! Reads campaigns from files, each with one definition as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};

use pointbook_campaigns::{Campaign, parse};
use pointbook_domain::Locale;
use pointbook_domain::json::{Json, JsonProblem};

/// The longest file, in bytes. A definition is shorter; a file may have spaces too.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// A campaign and the file that it comes from.
#[derive(Debug)]
pub struct CampaignFile {
    /// The name of the file in messages.
    pub name: String,
    pub campaign: Campaign,
}

/// Reads all files. `-` is the standard input. The title of a campaign must have the tenant's own locale.
///
/// # Errors
/// All faults of all files, each with the name of its file.
pub fn read_campaigns(files: &[PathBuf], own_locale: &Locale) -> Result<Vec<CampaignFile>, Vec<String>> {
    let (mut campaigns, mut faults, mut names) = (Vec::new(), Vec::new(), BTreeMap::new());
    for file in files {
        let is_stdin = file.as_os_str() == "-";
        let name = if is_stdin { "the standard input".to_owned() } else { file.display().to_string() };
        let found = if is_stdin { bytes_of(io::stdin()) } else { read_file(file) };
        match found.map_err(|fault| vec![fault]).and_then(|bytes| read_definition(&bytes, own_locale)) {
            Ok(campaign) => {
                let id = campaign.id().clone();
                if let Some(other) = names.insert(id.clone(), name.clone()) {
                    faults.push(format!("{name}: id {id} is the id in {other} too"));
                }
                campaigns.push(CampaignFile { name, campaign });
            }
            Err(found) => faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}"))),
        }
    }
    if faults.is_empty() { Ok(campaigns) } else { Err(faults) }
}

fn read_file(file: &Path) -> Result<Vec<u8>, String> {
    File::open(file).map_err(|error| unreadable(&error)).and_then(bytes_of)
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot read it: {error}")
}

fn bytes_of(source: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let length =
        source.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if length as u64 > MAX_FILE_BYTES {
        return Err(format!("it has more than {MAX_FILE_BYTES} bytes"));
    }
    Ok(bytes)
}

fn read_definition(bytes: &[u8], own_locale: &Locale) -> Result<Campaign, Vec<String>> {
    // Some editors begin a file with a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let fault = |error: serde_json::Error| vec![syntax_fault(bytes, &error)];
    let value = serde_json::from_slice(bytes).map_err(fault)?;
    let mut faults = Vec::new();
    note_repeated(&Json::parse(bytes).map_err(fault)?, "", &mut faults);
    match parse(&value, own_locale) {
        Ok(campaign) if faults.is_empty() => Ok(campaign),
        Ok(_) => Err(faults),
        Err(found) => Err(faults.into_iter().chain(found.iter().map(ToString::to_string)).collect()),
    }
}

fn syntax_fault(bytes: &[u8], error: &serde_json::Error) -> String {
    let JsonProblem { line, column, detail } = JsonProblem::new(bytes, error);
    let detail = detail.replacen("The body", "The file", 1);
    format!("line {line}, column {column}: {detail}")
}

/// Notes each member that an object has twice. Only the last one would count.
fn note_repeated(value: &Json, path: &str, faults: &mut Vec<String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Json::Object(members) => {
            let mut names = BTreeSet::new();
            for (name, value) in members {
                let path = below(name);
                if !names.insert(name) {
                    faults.push(format!("{} appears twice", path.escape_debug()));
                }
                note_repeated(value, &path, faults);
            }
        }
        Json::List(items) => {
            for (place, item) in items.iter().enumerate() {
                note_repeated(item, &below(&place.to_string()), faults);
            }
        }
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Fraction | Json::Text(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &[u8]) -> Vec<String> {
        read_definition(text, &Locale::new("en").unwrap()).unwrap_err()
    }

    const SMALL: &str = r#"{"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 50}}"#;

    #[test]
    fn a_file_may_begin_with_a_byte_order_mark() {
        let campaign = read_definition(format!("\u{feff}{SMALL}\n").as_bytes(), &Locale::new("en").unwrap());
        assert_eq!(campaign.unwrap().id().as_str(), "spring");
    }

    #[test]
    fn invalid_json_has_a_line_and_a_column() {
        assert_eq!(faults(b""), ["line 1, column 1: The file is empty. A JSON object is expected."]);
        let comma = b"{\n  \"id\": \"spring\",\n}\n";
        assert_eq!(faults(comma), ["line 3, column 1: A comma stands before a closing bracket."]);
        assert_eq!(faults(b"{\n\"id\": \"\xff\"}"), ["line 2, column 8: The file is not valid UTF-8 here."]);
    }

    #[test]
    fn a_repeated_member_and_every_wrong_field_are_named() {
        let twice = SMALL.replace("50}", "50, \"percent\": 0}");
        assert_eq!(
            faults(twice.as_bytes()),
            ["reward.percent appears twice", "reward.percent must be between 1 and 10000, got 0"]
        );
        assert_eq!(faults(b"[]"), ["the definition must be an object"]);
    }

    #[test]
    fn the_files_of_one_id_are_named_and_a_long_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.json"), SMALL).unwrap();
        std::fs::write(path("b.json"), SMALL).unwrap();
        let files = [path("a.json"), path("b.json"), "/dev/zero".into()];
        let faults = read_campaigns(&files, &Locale::new("en").unwrap()).unwrap_err();
        let [a, b] = ["a.json", "b.json"].map(|name| path(name).display().to_string());
        let twice = format!("{b}: id spring is the id in {a} too");
        assert_eq!(faults, [twice, "/dev/zero: it has more than 1048576 bytes".to_owned()]);
        assert_eq!(read_campaigns(&files[..1], &Locale::new("en").unwrap()).unwrap()[0].name, a);
    }
}
