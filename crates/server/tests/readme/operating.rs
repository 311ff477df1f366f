//! The pages for operators name the jobs, and the columns of exports.

use std::process::Command;
use std::sync::LazyLock;

use super::tree::files;

/// All pages for operators, ordered by name.
static GUIDE: LazyLock<String> = LazyLock::new(|| files("docs/operating", ".md").into_values().collect());

#[test]
fn table_lists_every_job() {
    for job in pointbook_server::jobs::JOBS.iter() {
        assert!(GUIDE.contains(&format!("\n| `{}` |", job.name())), "{}", job.name());
    }
}

#[test]
fn tables_list_every_column_of_exports() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
        let output = command.args(line.split(' ')).current_dir(folder.path()).env_clear().output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run("tenant add acme --environment production --base-url http://acme.example/api");
    for kind in ["products", "users", "activities"] {
        let header = run(&format!("export {kind} --tenant acme --format csv"));
        let (_, table) =
            GUIDE.split_once(&format!("\n**{}{}**:", kind[..1].to_uppercase(), &kind[1..])).unwrap();
        let (table, _) =
            table.split_once("\n| column |").and_then(|(_, rest)| rest.split_once("\n\n")).unwrap();
        for column in header.trim().split(',') {
            let is_named = table
                .lines()
                .any(|row| row.split('|').nth(1).is_some_and(|names| names.contains(&format!("`{column}`"))));
            assert!(is_named, "{kind}: {column}");
        }
    }
}
