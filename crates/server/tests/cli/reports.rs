//! `pointbook report`.

use serde_json::{Value, json};

use crate::program::Folder;

const DAYS: &str = "--from 2026-03-01 --until 2026-03-02";

/// A tenant whose members earned on two days.
fn with_points() -> Folder {
    let folder = Folder::with_tenant();
    let rows = "user_id,type,source_id,points,title,created_at
ann,code,s-1,30,Scan,2026-03-01T10:00:00Z
ben,code,s-1,12,Scan,2026-03-02T10:00:00Z
ann,quiz,s-2,5,=1+1,2026-03-02T10:00:00Z
";
    folder.write("activities.csv", rows);
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    folder
}

fn print(folder: &Folder, options: &str) -> String {
    folder.run(&format!("report {options} --tenant acme")).expect_code(0).stdout
}

#[test]
fn a_report_is_a_table_or_csv_or_json() {
    let folder = with_points();
    let table = print(&folder, &format!("members {DAYS}"));
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("DAY         NEW MEMBERS  ACTIVE MEMBERS  ACTIVE 7 DAYS"), "{table}");
    assert!(lines[1].starts_with("2026-03-01  1            1               1"), "{table}");
    let csv = print(&folder, &format!("points {DAYS} --csv"));
    let days: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(days, ["2026-03-01,1,30,0,0,0,0,30,0", "2026-03-02,2,17,0,0,0,0,47,0"]);
    let json: Value =
        serde_json::from_str(&print(&folder, &format!("activity-types {DAYS} --json"))).unwrap();
    assert_eq!(json["data"][0]["type"], "code");
    let meta = json!({
        "report": "activity-types", "from": "2026-03-01", "until": "2026-03-02", "time_zone": "UTC", "complete": true,
    });
    assert_eq!(json["meta"], meta);
}

#[test]
fn counting_again_gives_the_same() {
    let folder = with_points();
    let before = print(&folder, "vintages --csv");
    assert_eq!(before.lines().nth(1), Some("2026-03,47,0,0,47,0"));
    assert_eq!(print(&folder, "vintages --csv --rebuild"), before);
    let audit = folder.run("audit --tenant acme").expect_code(0).stdout;
    assert!(audit.contains("0 differences"), "{audit}");
}

#[test]
fn a_formula_gets_an_apostrophe_for_spreadsheets() {
    let folder = with_points();
    folder.write(
        "users.csv",
        "user_id,type,source_id,points,title,created_at\n=ann,code,s-9,7,Scan,2026-03-01T10:00:00Z\n",
    );
    folder.run("import activities users.csv --tenant acme").expect_code(0);
    let line = |options: &str| {
        let csv = print(&folder, &format!("earners {DAYS} --csv{options}"));
        csv.lines().last().unwrap().to_owned()
    };
    assert_eq!((line("").as_str(), line(" --excel-safe").as_str()), ("=ann,7,0,1,0", "'=ann,7,0,1,0"));
}

#[test]
fn wrong_arguments_are_named() {
    let folder = Folder::with_tenant();
    for (options, message) in [
        ("profit --tenant acme", "[possible values: points, activity-types,"),
        ("vintages --tenant acme --from 2026-03-01", "the report vintages is of all time"),
        ("points --tenant acme --from yesterday", "\"yesterday\" is no day such as 2026-05-04"),
        (
            "points --tenant acme --from 2026-03-02 --until 2026-03-01",
            "--until must not be before the first day",
        ),
        (
            "points --tenant acme --from 2020-01-01 --until 2026-03-01",
            "--until must be at most 399 days after the first day",
        ),
    ] {
        let refused = folder.run(&format!("report {options}")).expect_code(2);
        assert!(refused.stderr.contains(message), "{refused:?}");
    }
}
