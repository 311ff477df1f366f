//! The pages for operators name existing settings, keys and columns.

use std::process::Command;
use std::sync::LazyLock;

use pointbook_domain::TenantSettings;
use pointbook_server::config::DEFAULT_FILE;

use super::tree::files;

/// All pages for operators, ordered by name.
static GUIDE: LazyLock<String> = LazyLock::new(|| files("docs/operating", ".md").into_values().collect());

/// Whether a table of the guide has this name with this default.
fn has_row(name: &str, default: &str) -> bool {
    GUIDE.contains(&format!("\n| `{name}` | {default} |"))
}

#[test]
fn table_lists_every_setting_with_its_default() {
    for (name, default) in TenantSettings::default().entries() {
        let default = if default.is_empty() { "(none)".to_owned() } else { format!("`{default}`") };
        assert!(has_row(&name, &default), "{name}: {default}");
    }
}

#[test]
fn table_lists_every_key_with_its_default() {
    let (mut section, mut keys) = ("", 0);
    for line in DEFAULT_FILE.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, value)) = line.split_once(" = ") {
            let (name, value) = (format!("{section}.{name}"), value.trim_matches('"'));
            let default = if value.is_empty() { "(none)".to_owned() } else { format!("`{value}`") };
            assert!(has_row(&name, &default), "{name}: {default}");
            keys += 1;
        } else if !line.is_empty() {
            section = line.trim_matches(['[', ']']);
        }
    }
    assert!(keys >= 20, "{keys} keys are too few");
}

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
        let (table, _) = table.split_once("\n\n").and_then(|(_, rest)| rest.split_once("\n\n")).unwrap();
        for column in header.trim().split(',') {
            let is_named = table
                .lines()
                .any(|row| row.split('|').nth(1).is_some_and(|names| names.contains(&format!("`{column}`"))));
            assert!(is_named, "{kind}: {column}");
        }
    }
}
