//! `pointbook pull`: copies the data of another server once and completely.

mod other_answers;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_testkit::postgres::empty_database;
use serde_json::Value;
use tempfile::TempDir;

use crate::demo::{Demo, export, program};
use crate::proxy::{self, Origin, ProxiedRequest, ProxiedResponse, Tampering};

/// The demo has at least this many products.
const LEAST_PRODUCTS: usize = 70;

/// Users of the demo with tokens.
const TOKENS: &str = "# who moves\nmia demo-mia\nben demo-ben\naiko demo-aiko\nleo demo-leo\n";

/// The fields of a product, and of a transaction, that the interface shows. An export has the original description and the
/// interface a cleaned one, so only the comparison of a pull checks descriptions.
const PRODUCT_FIELDS: [&str; 7] =
    ["id", "title", "sku", "regular_price", "sale_price", "thumbnail", "gallery"];
const ACTIVITY_FIELDS: [&str; 7] =
    ["user_id", "type", "points", "bonus_breakdown", "title", "subtitle", "created_at"];

/// A change of responses.
type OnResponse = fn(&ProxiedRequest, &mut ProxiedResponse, &Origin);

/// An empty tenant `acme` in a database, and a folder with a file of tokens.
struct PullTarget {
    folder: TempDir,
    database: String,
}

impl PullTarget {
    fn new(tokens: &str) -> Self {
        Self::on("sqlite:pointbook.db", tokens)
    }

    fn on(database: &str, tokens: &str) -> Self {
        let target = Self { folder: tempfile::tempdir().unwrap(), database: database.to_owned() };
        std::fs::write(target.folder.path().join("tokens"), tokens).unwrap();
        target.run("migrate");
        target.run("tenant add acme --environment production --base-url https://new.example/api");
        target
    }

    /// Runs a command line that must succeed.
    fn run(&self, line: &str) {
        let output = self.command(line).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    }

    fn command(&self, line: &str) -> Command {
        let mut command = program(&self.folder);
        command.args(["--database", &self.database]).args(line.split(' '));
        command
    }

    /// Runs a pull into this tenant. Returns its exit code, standard output and standard error.
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

/// These fields of every row, sorted.
fn documented(text: &str, fields: &[&str]) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    for row in rows(text) {
        let values: Vec<&Value> = fields.iter().map(|field| &row[*field]).collect();
        *found.entry(serde_json::to_string(&values).unwrap()).or_default() += 1;
    }
    found
}

/// The categories of every product, with their ancestors, by product id.
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

/// The digests that a pull printed for a name: the other server's and ours.
fn digests<'p>(printed: &'p str, name: &str) -> [&'p str; 2] {
    let beginning = format!("{name}: sha256 ");
    let text = printed.lines().find_map(|line| line.strip_prefix(&beginning)).unwrap();
    let digests = match text.strip_suffix(" on both sides") {
        Some(both) => [both, both],
        None => text
            .strip_suffix(" here")
            .and_then(|both| both.split_once(" on the other server, "))
            .unwrap()
            .into(),
    };
    assert!(digests.iter().all(|digest| digest.len() == 64), "{printed}");
    digests
}

/// Asserts that the tenant has the data of the demo and that its audit finds no differences.
fn assert_moved(demo: &Demo, target: &PullTarget) {
    let (here, there) = (target.export("products"), demo.export("products"));
    let (ours, theirs) = (documented(&here, &PRODUCT_FIELDS), documented(&there, &PRODUCT_FIELDS));
    assert!(ours.len() >= LEAST_PRODUCTS && ours.iter().all(|(row, count)| theirs.get(row) == Some(count)));
    let trees = (target.export("categories"), demo.export("categories"));
    assert_eq!(trees.0, trees.1);
    let theirs = categories(&there, &trees.1);
    for (id, categories) in categories(&here, &trees.0) {
        assert_eq!(Some(&categories), theirs.get(&id), "{id}");
    }
    let activities = |text: String| documented(&text, &ACTIVITY_FIELDS);
    assert_eq!(activities(target.export("activities")), activities(demo.export("activities")));
    target.run("audit");
}

#[test]
fn pull_copies_store_and_histories_and_can_be_repeated() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let (code, printed, said) = target.pull(&demo.base_url());
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
    assert_moved(&demo, &target);
    let first = ["products", "activities"].map(|kind| target.export(kind));
    let (code, printed, said) = target.pull(&demo.base_url());
    assert_eq!(code, 0, "{printed}{said}");
    assert!(printed.contains(" 0 recorded, ") && printed.contains(" 0 rejected"), "{printed}");
    assert_eq!(first, ["products", "activities"].map(|kind| target.export(kind)));
}

#[tokio::test]
async fn pull_works_with_postgresql() {
    let Some(database) = empty_database().await else { return };
    let (demo, target) = (Demo::start(None), PullTarget::on(&database.url, TOKENS));
    for _ in 0..2 {
        let (code, printed, said) = target.pull(&demo.base_url());
        assert_eq!(code, 0, "{printed}{said}");
    }
    assert_moved(&demo, &target);
}

#[test]
fn next_pull_completes_an_interrupted_one() {
    /// The number of history pages so far.
    static PAGES: AtomicU32 = AtomicU32::new(0);
    fn cut(request: &ProxiedRequest, response: &mut ProxiedResponse, _: &Origin) {
        if request.path == "/v1/user/point-history" && PAGES.fetch_add(1, Ordering::Relaxed) >= 6 {
            response.become_json(500, r#"{"message":"Server Error."}"#);
        }
    }
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let address =
        proxy::start(Origin::new(&demo.authority), Tampering { on_request: |_| {}, on_response: cut });
    let (code, _, said) = target.pull(&proxy::base_url(address));
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("returns 500") && said.contains("it is safe to run the pull again"), "{said}");
    let (code, printed, said) = target.pull(&demo.base_url());
    assert_eq!(code, 0, "{printed}{said}");
    assert_moved(&demo, &target);
}

#[test]
fn pull_names_the_rule_that_a_response_breaks() {
    let demo = Demo::start(None);
    let origin = Origin::new(&demo.authority);
    let faults: [(&str, OnResponse); 3] = [
        ("products.fields", |_, response, _| response.replace(r#""sale_price":null"#, r#""sale_price":"""#)),
        ("history.sums", |_, response, _| {
            response.replace(r#""totalBonusPoints":0"#, r#""totalBonusPoints":1"#);
        }),
        ("meta.counts", |_, response, _| response.replace(r#""from":1,"#, r#""from":0,"#)),
    ];
    for (rule, on_response) in faults {
        let target = PullTarget::new(TOKENS);
        let address = proxy::start(origin.clone(), Tampering { on_request: |_| {}, on_response });
        let (code, printed, said) = target.pull(&proxy::base_url(address));
        assert_eq!(code, 1, "{rule}: {printed}{said}");
        assert!(said.contains(&format!(" breaks the rule {rule}: expected ")), "{rule}: {said}");
    }
}

#[test]
fn pull_reports_differences() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    std::fs::write(
        target.folder.path().join("own.jsonl"),
        r#"{"user_id":"ben","type":"code","source_id":"own","points":7,"title":"Own","created_at":"2020-01-01T10:00:00Z"}"#,
    )
    .unwrap();
    target.run("import activities own.jsonl --tenant acme");
    let (code, printed, said) = target.pull(&demo.base_url());
    assert_eq!(code, 1, "{printed}{said}");
    assert!(printed.contains("ben: 2020-01-01 is missing on the other server\n"), "{printed}");
    assert!(printed.contains("ben: user_points: Some(") && printed.contains(" 2 differences\n"), "{printed}");
    assert!(printed.contains("aiko: ") && printed.contains("days compared, 0 differences\n"), "{printed}");
    for (name, is_same) in [("store", true), ("aiko", true), ("ben", false)] {
        let [there, here] = digests(&printed, name);
        assert_eq!(there == here, is_same, "{name}: {printed}");
    }
}

#[test]
fn invalid_token_and_invalid_token_file_are_reported() {
    let demo = Demo::start(None);
    let (code, printed, said) = PullTarget::new("ben demo-stranger\n").pull(&demo.base_url());
    assert_eq!((code, printed.as_str()), (2, ""), "{said}");
    assert!(said.contains("ben: the token is not accepted: ") && !said.contains("demo-stranger"), "{said}");
    let (code, printed, said) = PullTarget::new("ben demo-ben\nmia demo-ben\n").pull(&demo.base_url());
    assert_eq!((code, printed.as_str()), (2, ""), "{said}");
    assert!(said.contains("tokens: line 2: the token is on line 1 already"), "{said}");
    let (code, _, said) = PullTarget::new("ben\nmia a b\n").pull(&demo.base_url());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("tokens: line 1: ") && said.contains("tokens: line 2: "), "{said}");
    let (code, _, said) = PullTarget::new(TOKENS).pull("http://127.0.0.1:1/api");
    assert_eq!(code, 3, "{said}");
}
