//! The pages for operators name existing commands, settings, keys and columns.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use clap::Parser;
use pointbook_domain::TenantSettings;
use pointbook_server::cli::Cli;
use pointbook_server::config::DEFAULT_FILE;

use super::document::blocks;

/// All pages for operators, ordered by name.
static GUIDE: LazyLock<String> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operating");
    let mut pages: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages.iter().map(|page| fs::read_to_string(page).unwrap()).collect()
});

#[test]
fn every_command_line_is_valid() {
    let typed = blocks(&GUIDE).into_iter().filter(|block| block.language == "sh");
    let lines = typed.flat_map(|block| block.text.lines());
    // Every second part between backticks is code.
    let inline = GUIDE.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let commands: Vec<Vec<String>> = lines.chain(inline).filter_map(command).collect();
    assert!(commands.len() >= 25, "{} commands are too few", commands.len());
    for command in commands {
        let parsed = Cli::try_parse_from(&command);
        assert!(parsed.is_ok(), "{command:?}: {}", parsed.unwrap_err());
    }
}

/// The words of a `pointbook` command, without those that the shell interprets.
fn command(line: &str) -> Option<Vec<String>> {
    let ours = line.match_indices("pointbook ").map(|(at, _)| at).find(|&at| {
        let before = line[..at].trim_end();
        before.is_empty() || before.ends_with('|') || before.starts_with("POINTBOOK_")
    })?;
    let (mut words, mut quoted) = (vec![String::new()], false);
    for character in line[ours..].chars() {
        match (character, quoted) {
            ('"', _) => quoted = !quoted,
            ('|' | '<' | '>' | '#', false) => break,
            (' ', false) => words.push(String::new()),
            _ => words.last_mut()?.push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    Some(words)
}

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
    for job in pointbook_jobs::JOBS {
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
