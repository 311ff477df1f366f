//! `pointbook pull`: what another server tells is here afterwards, once, and right.

mod other_answers;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_testkit::postgres::empty_database;
use serde_json::Value;
use tempfile::TempDir;

use crate::demo::{Demo, export, program};
use crate::proxy::{self, ApiRequest, Origin, Spoil, Told};

/// How many products the demo shows at least.
const LEAST_PRODUCTS: usize = 70;

/// Users of the demo who show themselves.
const TOKENS: &str = "# who moves\nmia demo-mia\nben demo-ben\naiko demo-aiko\nleo demo-leo\n";

/// What the interface tells of a product, and what of a transaction. An export has the description as it was given,
/// the interface as it was cleaned, so that only the comparison of a pull knows whether it is the same.
const PRODUCT_FIELDS: [&str; 7] =
    ["id", "title", "sku", "regular_price", "sale_price", "thumbnail", "gallery"];
const ACTIVITY_FIELDS: [&str; 7] =
    ["user_id", "type", "points", "bonus_breakdown", "title", "subtitle", "created_at"];

/// What happens to an answer.
type Tell = fn(&ApiRequest, &mut Told, &Origin);

/// An empty tenant `acme` in a database, and a folder with a file of tokens.
struct Newcomer {
    folder: TempDir,
    database: String,
}

impl Newcomer {
    fn new(tokens: &str) -> Self {
        Self::on("sqlite:pointbook.db", tokens)
    }

    fn on(database: &str, tokens: &str) -> Self {
        let newcomer = Self { folder: tempfile::tempdir().unwrap(), database: database.to_owned() };
        std::fs::write(newcomer.folder.path().join("tokens"), tokens).unwrap();
        newcomer.run("migrate");
        newcomer.run("tenant add acme --environment production --base-url https://new.example/api");
        newcomer
    }

    /// Runs a line of words that must succeed.
    fn run(&self, line: &str) {
        let output = self.command(line).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    }

    fn command(&self, line: &str) -> Command {
        let mut command = program(&self.folder);
        command.args(["--database", &self.database]).args(line.split(' '));
        command
    }

    /// How a pull into it ended, what it printed, and what it said.
    fn pull(&self, base_url: &str) -> (i32, String, String) {
        let line = format!("pull {base_url} --token-file tokens --tenant acme --rate 1000");
        let output = self.command(&line).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn export(&self, kind: &str) -> String {
        export(&self.folder, &self.database, kind)
    }
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// These fields of every row, in one order.
fn documented(text: &str, fields: &[&str]) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    for row in rows(text) {
        let values: Vec<&Value> = fields.iter().map(|field| &row[*field]).collect();
        *found.entry(serde_json::to_string(&values).unwrap()).or_default() += 1;
    }
    found
}

/// Every category that a product is in, with those above them, by its id.
fn categories(products: &str, tree: &str) -> BTreeMap<String, BTreeSet<String>> {
    fn note(paths: &mut BTreeMap<String, BTreeSet<String>>, above: &BTreeSet<String>, list: &Value) {
        for category in list.as_array().unwrap() {
            let id = category["id"].as_str().unwrap().to_owned();
            let mut path = above.clone();
            path.insert(id.clone());
            note(paths, &path, &category["children"]);
            paths.insert(id, path);
        }
    }
    let mut paths = BTreeMap::new();
    note(&mut paths, &BTreeSet::new(), &serde_json::from_str(tree).unwrap());
    let of = |row: &Value| {
        let ids = row["categories"].as_array().unwrap().iter().map(|id| id.as_str().unwrap());
        ids.flat_map(|id| paths[id].clone()).collect()
    };
    rows(products).iter().map(|row| (row["id"].as_str().unwrap().to_owned(), of(row))).collect()
}

/// What a pull printed of both sides of a name in short, there and here.
fn digests<'p>(printed: &'p str, name: &str) -> [&'p str; 2] {
    let beginning = format!("{name}: sha256 ");
    let told = printed.lines().find_map(|line| line.strip_prefix(&beginning)).unwrap();
    let digests = match told.strip_suffix(" on both sides") {
        Some(both) => [both, both],
        None => told.strip_suffix(" here").and_then(|both| both.split_once(" there, ")).unwrap().into(),
    };
    assert!(digests.iter().all(|digest| digest.len() == 64), "{printed}");
    digests
}

/// That the newcomer has what the demo shows, and that its ledger is sound.
fn assert_moved(demo: &Demo, newcomer: &Newcomer) {
    let (here, there) = (newcomer.export("products"), demo.export("products"));
    let (ours, theirs) = (documented(&here, &PRODUCT_FIELDS), documented(&there, &PRODUCT_FIELDS));
    assert!(ours.len() >= LEAST_PRODUCTS && ours.iter().all(|(row, count)| theirs.get(row) == Some(count)));
    let trees = (newcomer.export("categories"), demo.export("categories"));
    assert_eq!(trees.0, trees.1);
    let theirs = categories(&there, &trees.1);
    for (id, categories) in categories(&here, &trees.0) {
        assert_eq!(Some(&categories), theirs.get(&id), "{id}");
    }
    let activities = |text: String| documented(&text, &ACTIVITY_FIELDS);
    assert_eq!(activities(newcomer.export("activities")), activities(demo.export("activities")));
    newcomer.run("audit");
}

#[test]
fn a_pull_brings_store_and_histories_and_may_be_repeated() {
    let (demo, newcomer) = (Demo::start(None), Newcomer::new(TOKENS));
    let (code, printed, said) = newcomer.pull(&demo.base_url());
    assert_eq!(code, 0, "{printed}{said}");
    assert!(
        printed.contains("\nstore: ") && printed.contains(" products compared, 0 differences\n"),
        "{printed}"
    );
    assert!(printed.contains("\nmia: 0 days compared, 0 differences\n"), "{printed}");
    assert!(!printed.contains("demo-aiko") && !said.contains("demo-"), "{printed}{said}");
    for name in ["store", "mia", "ben", "aiko", "leo"] {
        let [there, here] = digests(&printed, name);
        assert_eq!(there, here, "{printed}");
    }
    assert_moved(&demo, &newcomer);
    let first = ["products", "activities"].map(|kind| newcomer.export(kind));
    let (code, printed, said) = newcomer.pull(&demo.base_url());
    assert_eq!(code, 0, "{printed}{said}");
    assert!(printed.contains(" 0 recorded, ") && printed.contains(" 0 rejected"), "{printed}");
    assert_eq!(first, ["products", "activities"].map(|kind| newcomer.export(kind)));
}

#[tokio::test]
async fn a_pull_goes_into_postgresql_as_well() {
    let Some(database) = empty_database().await else { return };
    let (demo, newcomer) = (Demo::start(None), Newcomer::on(&database.url, TOKENS));
    for _ in 0..2 {
        let (code, printed, said) = newcomer.pull(&demo.base_url());
        assert_eq!(code, 0, "{printed}{said}");
    }
    assert_moved(&demo, &newcomer);
}

#[test]
fn a_pull_that_was_cut_is_completed_by_the_next() {
    /// How many pages of histories were told.
    static PAGES: AtomicU32 = AtomicU32::new(0);
    fn cut(asked: &ApiRequest, told: &mut Told, _: &Origin) {
        if asked.path == "/v1/user/point-history" && PAGES.fetch_add(1, Ordering::Relaxed) >= 6 {
            told.become_json(500, r#"{"message":"Server Error."}"#);
        }
    }
    let (demo, newcomer) = (Demo::start(None), Newcomer::new(TOKENS));
    let address = proxy::start(Origin::new(&demo.authority), Spoil { ask: |_| {}, tell: cut });
    let (code, _, said) = newcomer.pull(&proxy::base_url(address));
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("returns 500") && said.contains("it is safe to run the pull again"), "{said}");
    let (code, printed, said) = newcomer.pull(&demo.base_url());
    assert_eq!(code, 0, "{printed}{said}");
    assert_moved(&demo, &newcomer);
}

#[test]
fn a_server_that_tells_wrongly_is_refused_by_the_rule() {
    let demo = Demo::start(None);
    let origin = Origin::new(&demo.authority);
    let faults: [(&str, Tell); 3] = [
        ("products.fields", |_, told, _| told.replace(r#""sale_price":null"#, r#""sale_price":"""#)),
        ("history.sums", |_, told, _| told.replace(r#""totalBonusPoints":0"#, r#""totalBonusPoints":1"#)),
        ("meta.counts", |_, told, _| told.replace(r#""from":1,"#, r#""from":0,"#)),
    ];
    for (rule, tell) in faults {
        let newcomer = Newcomer::new(TOKENS);
        let address = proxy::start(origin.clone(), Spoil { ask: |_| {}, tell });
        let (code, printed, said) = newcomer.pull(&proxy::base_url(address));
        assert_eq!(code, 1, "{rule}: {printed}{said}");
        assert!(said.contains(&format!(" breaks the rule {rule}: expected ")), "{rule}: {said}");
    }
}

#[test]
fn what_differs_afterwards_is_named() {
    let (demo, newcomer) = (Demo::start(None), Newcomer::new(TOKENS));
    std::fs::write(
        newcomer.folder.path().join("own.jsonl"),
        r#"{"user_id":"ben","type":"code","source_id":"own","points":7,"title":"Own","created_at":"2020-01-01T10:00:00Z"}"#,
    )
    .unwrap();
    newcomer.run("import activities own.jsonl --tenant acme");
    let (code, printed, said) = newcomer.pull(&demo.base_url());
    assert_eq!(code, 1, "{printed}{said}");
    assert!(printed.contains("ben: 2020-01-01 is missing on the other server\n"), "{printed}");
    assert!(
        printed.contains("ben: user_points: there ") && printed.contains(" 2 differences\n"),
        "{printed}"
    );
    assert!(printed.contains("aiko: ") && printed.contains("days compared, 0 differences\n"), "{printed}");
    for (name, is_same) in [("store", true), ("aiko", true), ("ben", false)] {
        let [there, here] = digests(&printed, name);
        assert_eq!(there == here, is_same, "{name}: {printed}");
    }
}

#[test]
fn a_token_that_opens_nothing_and_a_file_that_is_none_are_told() {
    let demo = Demo::start(None);
    let (code, printed, said) = Newcomer::new("ben demo-nobody\n").pull(&demo.base_url());
    assert_eq!((code, printed.as_str()), (2, ""), "{said}");
    assert!(said.contains("ben: the token is not accepted: ") && !said.contains("demo-nobody"), "{said}");
    let (code, printed, said) = Newcomer::new("ben demo-ben\nmia demo-ben\n").pull(&demo.base_url());
    assert_eq!((code, printed.as_str()), (2, ""), "{said}");
    assert!(said.contains("tokens: line 2: the token is on line 1 already"), "{said}");
    let (code, _, said) = Newcomer::new("ben\nmia a b\n").pull(&demo.base_url());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("tokens: line 1: ") && said.contains("tokens: line 2: "), "{said}");
    let (code, _, said) = Newcomer::new(TOKENS).pull("http://127.0.0.1:1/api");
    assert_eq!(code, 3, "{said}");
}
