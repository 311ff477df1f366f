//! The tables of documents that follow from the code, as a JSON object: the name of a table, and its Markdown. `cargo xtask openapi`
//! writes each table into the document that names it.

use std::fmt::Write as _;

use pointbook_access::console_kit::shared::SOURCES;
use pointbook_domain::TenantSettings;
use pointbook_domain::errors::{ErrorCode, FieldCode};
use pointbook_http::describe::Operation;
use pointbook_http::openapi::operations;
use pointbook_http::pages::Languages;
use pointbook_http::{Caller, RouteSpec};
use pointbook_server::config::DEFAULT_FILE;
use pointbook_server::import::{self, Kind, meaning_text};
use pointbook_server::slices::LISTED;
use serde_json::{Value, json};

/// The page with the examples of operations, one below a heading for each operation that has one.
const EXAMPLES: &str = include_str!("../../../docs/endpoints.md");

fn main() {
    println!("{}", tables());
}

fn tables() -> Value {
    json!({
        "requests of apps": requests(|caller| matches!(caller, Caller::Customer | Caller::Anyone)),
        "requests of back offices": requests(|caller| !matches!(caller, Caller::Customer)),
        "codes of requests": sections(ErrorCode::ALL.iter().map(|code| (code.as_str(), code.about()))),
        "settings": settings(),
        "keys": keys(),
        "columns of products": columns(Kind::Products),
        "codes of fields": sections(FieldCode::ALL.iter().map(|code| (code.as_str(), code.about()))),
    })
}

/// A row for each operation of these callers, in the order of the OpenAPI document.
fn requests(is_of: impl Fn(Caller) -> bool) -> String {
    let listed = operations(&LISTED);
    let rows: Vec<_> = listed.iter().filter(|(route, _)| is_of(route.caller)).collect();
    let has_scopes = rows.iter().any(|(route, _)| route.caller.is_key());
    let columns: &[&str] =
        if has_scopes { &["request", "scope", "what it does"] } else { &["request", "what it does"] };
    table(columns, rows.into_iter().map(|(route, operation)| request(route, operation, has_scopes)))
}

fn request(route: &RouteSpec, Operation { summary, .. }: &Operation, has_scopes: bool) -> Vec<String> {
    let scopes: Vec<_> = route.caller.scopes().iter().map(|scope| format!("`{scope}`")).collect();
    let scopes = if scopes.is_empty() { "any".to_owned() } else { scopes.join(", ") };
    let address = linked(&format!("{} {}", route.method, route.path));
    [Some(address), has_scopes.then_some(scopes), Some((*summary).to_owned())].into_iter().flatten().collect()
}

/// A link to the example of the operation, if it has one.
fn linked(address: &str) -> String {
    if !EXAMPLES.lines().any(|line| line.strip_prefix("### ") == Some(address)) {
        return format!("`{address}`");
    }
    let anchor: String =
        address.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter)).collect();
    format!("[`{address}`](endpoints.md#{})", anchor.to_lowercase().replace(' ', "-"))
}

/// The settings of a tenant.
fn settings() -> String {
    let rows = TenantSettings::explained();
    explained(
        "setting",
        rows.map(|(name, default, meaning)| (name.to_owned(), default, meaning.trim().to_owned())),
    )
}

/// The keys of the configuration. The comments above a key of the default file say what it means.
fn keys() -> String {
    let (mut section, mut comments, mut rows) = ("", Vec::new(), Vec::new());
    for line in DEFAULT_FILE.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            comments.push(comment);
        } else if let Some((name, value)) = line.split_once(" = ") {
            rows.push((format!("{section}.{name}"), value.trim_matches('"').to_owned(), comments.join(" ")));
            comments.clear();
        } else {
            section = line.trim_matches(['[', ']']);
            comments.clear();
        }
    }
    explained("key", rows.into_iter())
}

fn explained(what: &str, rows: impl Iterator<Item = (String, String, String)>) -> String {
    let row = |(name, default, meaning): (String, String, String)| {
        let default = if default.is_empty() { "(none)".to_owned() } else { format!("`{default}`") };
        vec![format!("`{name}`"), default, meaning]
    };
    table(&[what, "default", "meaning"], rows.map(row))
}

/// The columns of a file. The console says the same about them.
fn columns(kind: Kind) -> String {
    let (languages, columns) = (Languages::new(SOURCES), import::columns(kind));
    let row = |name: &&str| {
        let needed = if columns.required.contains(name) { "yes" } else { "no" };
        let meaning = languages.english().say(&meaning_text(kind, name));
        vec![format!("`{name}`"), needed.to_owned(), meaning.replace('|', "\\|")]
    };
    table(&["column", "needed", "meaning"], columns.known.iter().map(row))
}

/// A section for each code, by name.
fn sections(codes: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let mut codes: Vec<_> = codes.collect();
    codes.sort_unstable();
    let section = |(code, about): (&str, &str)| {
        let about: Vec<_> = about.lines().map(str::trim).collect();
        format!("### `{code}`\n{}\n", about.join("\n"))
    };
    codes.into_iter().map(section).collect::<Vec<_>>().join("\n")
}

fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}
