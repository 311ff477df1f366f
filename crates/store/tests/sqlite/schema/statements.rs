//! The statements in the sources of the store.

use std::fs;
use std::path::{Path, PathBuf};

use pointbook_domain::{AuditChain, Feed, Operator, Order, Tenant, TokenRecord, Transaction, User};
use pointbook_store::ports::Query;
use pointbook_store::schema::audit::{
    AuditedAward, AuditedLotChange, AuditedRow, AuditedUser, OrderOfProduct,
};
use pointbook_store::schema::rows::{
    AccountState, JobId, LedgerEntry, ProductOffer, ProductRow, RawHistoryLine, SealedDataKey, TreeRow,
};
use pointbook_store::schema::rows_of_service::{OrderedId, TokenOfUser};
use pointbook_store::schema::texts::{
    CHANGED_PRODUCTS, FIND_TOKEN, MAKE_JOBS_DUE, MOST_ORDERED, SCHEDULE_JOB, TEXTS,
};
use pointbook_store::schema::{Dialect, Group};
use pointbook_testkit::files::files_below;

/// The statements of one part of the sources: a file, or all files of a module.
pub(super) fn statements_of(part: &str) -> Vec<String> {
    let is_inside = |path: &Path| path.strip_prefix(sources()).unwrap().to_str().unwrap().starts_with(part);
    statements().into_iter().filter(|(path, _)| is_inside(path)).map(|(_, sql)| sql).collect()
}

/// Every string of the sources that begins like a statement on rows. Adds the columns of `names_of` and the text that `select!`
/// generates. Skips tests, which have separate tables.
pub(super) fn statements() -> Vec<(PathBuf, String)> {
    let mut statements = Vec::new();
    let is_test = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests");
    for path in files_below(&sources()).into_iter().filter(|path| !is_test(path)) {
        let source = fs::read_to_string(&path).unwrap();
        let strings = strings(&source);
        for (index, (before, string)) in strings.iter().enumerate() {
            let group = |prefix: &str| Some(before.strip_suffix(',')?.rsplit_once(prefix)?.1.trim());
            let sql = if let Some(group) = group("select!(") {
                columns(group.trim_end_matches("<'_>"), None) + string
            } else if string.starts_with("SELECT ") {
                filled(string, &strings[index + 1..])
            } else {
                (*string).to_owned()
            };
            if ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].iter().any(|verb| sql.starts_with(verb)) {
                statements.push((path.clone(), words(&sql)));
            }
        }
    }
    statements.extend(texts());
    statements
}

/// The texts, which are no strings of this store.
fn texts() -> Vec<(PathBuf, String)> {
    let reads = [
        Query::of_text::<TokenOfUser>(&FIND_TOKEN, &("",)),
        Query::of_text::<ProductRow>(&CHANGED_PRODUCTS, &(1_i64, "", 1_u32)),
        Query::of_text::<OrderedId>(&MOST_ORDERED, &(1_i64,)),
    ];
    let mut texts: Vec<_> = reads.iter().map(|read| words(&read.select(Dialect::Sqlite))).collect();
    texts.extend([&SCHEDULE_JOB, &MAKE_JOBS_DUE].map(|text| words(text.write(Dialect::Sqlite))));
    assert_eq!(texts.len(), TEXTS.len());
    texts.into_iter().map(|sql| (sources().join("../schema/texts.rs"), sql)).collect()
}

fn words(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A statement with the columns that `names_of` returns. The strings after it are its tables.
fn filled(sql: &str, behind: &[(&str, &str)]) -> String {
    let mut tables = behind.iter();
    let mut parts = sql.split("{}");
    let mut filled = parts.next().unwrap().to_owned();
    for part in parts {
        let (before, table) = tables.next().unwrap();
        let group = before.strip_suffix("::names_of(").unwrap().rsplit([' ', ',', '\n']).next().unwrap();
        filled += &(columns(group, Some(table)) + part);
    }
    filled
}

/// The start of the statement that selects a group, or its columns in a table with this alias.
fn columns(group: &str, table: Option<&str>) -> String {
    macro_rules! of {
        ($($group:ident)+) => {
            match group {
                $(stringify!($group) => table.map_or_else(|| $group::select(""), $group::names_of),)+
                "LedgerTransaction" => Transaction::names_of(table.unwrap()),
                unknown => panic!("no group {unknown}"),
            }
        };
    }
    of!(Tenant User AccountState TreeRow ProductRow ProductOffer LedgerEntry RawHistoryLine
        AuditChain Feed Operator Order SealedDataKey JobId TokenRecord AuditedUser AuditedAward AuditedLotChange AuditedRow OrderOfProduct)
}

/// The strings of a source, each after the code before it.
fn strings(source: &str) -> Vec<(&str, &str)> {
    let pieces: Vec<_> = source.split('"').collect();
    pieces.chunks_exact(2).map(|pair| (pair[0].trim_end(), pair[1])).collect()
}

fn sources() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/sqlite")
}
