use std::fs;
use std::path::Path;

/// Files with helpers of facts, and with the suite itself.
const WITHOUT_FACTS: [&str; 9] = [
    "campaign_helpers.rs",
    "campaign_races.rs",
    "figures_model.rs",
    "figures_scene.rs",
    "expiry_scene.rs",
    "helpers.rs",
    "mod.rs",
    "state.rs",
    "tests.rs",
];

/// A fact that the suite does not list would never run.
#[test]
fn the_suite_lists_every_fact() {
    let suite = include_str!("mod.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/conformance");
    let mut facts = 0;
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if WITHOUT_FACTS.iter().any(|name| entry.file_name() == **name) {
            continue;
        }
        let source = fs::read_to_string(entry.path()).unwrap();
        for function in source.split("pub async fn ").skip(1) {
            let (fact, _) = function.split_once('(').unwrap();
            let listed = [",", ";"].iter().any(|end| suite.contains(&format!(" {fact}{end}")));
            assert!(listed, "{fact} is not in the suite");
            facts += 1;
        }
    }
    assert!(facts > 180, "{facts}");
}
