//! Commands in documents exist: those of the program, and those of `cargo xtask` and `cargo benchmark`.

use clap::Parser;
use clap::error::ErrorKind;
use pointbook_server::cli::Cli;

use super::document::blocks;
use super::tree::files;

#[test]
fn every_command_line_of_the_program_is_valid() {
    let (mut parsed, mut wrong) = (0, Vec::new());
    for (path, text) in documents() {
        for (line, is_typed) in code(&text) {
            let Some(words) = command(line) else { continue };
            parsed += 1;
            let error = Cli::try_parse_from(&words).err();
            // A sentence may name a command without all that it requires.
            let error = error.filter(|error| {
                is_typed
                    || !matches!(
                        error.kind(),
                        ErrorKind::MissingRequiredArgument
                            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                    )
            });
            wrong.extend(error.map(|error| format!("{path}: {words:?}: {error}")));
        }
    }
    assert!(parsed >= 120, "{parsed} commands are too few");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The tasks are other programs, so this looks into their sources: for a task in the list of xtask, for an option as it is or as
/// a field.
#[test]
fn every_cargo_task_and_its_options_exist() {
    let tasks = files("xtask/src", "main.rs").into_values().collect::<String>();
    let sources = |folder: &str| files(folder, ".rs").into_values().collect::<String>();
    let programs = [("cargo xtask ", sources("xtask")), ("cargo benchmark ", sources("bench"))];
    let (mut found, mut unknown) = (0, Vec::new());
    for (path, text) in documents() {
        for (line, _) in code(&text) {
            let Some((program, source)) = programs.iter().find(|(program, _)| line.contains(program)) else {
                continue;
            };
            let (_, words) = line.split_once(program).unwrap();
            let words = words.split(' ').take_while(|word| !word.is_empty() && !"|>#&".contains(word));
            for (at, word) in words.enumerate() {
                let field = format!("{}:", word.trim_start_matches('-').replace('-', "_"));
                let word = format!("\"{word}\"");
                let is_known = if word.starts_with("\"--") {
                    source.contains(&word) || source.contains(&field)
                } else {
                    at > 0 || *program != "cargo xtask " || tasks.contains(&word)
                };
                found += 1;
                unknown.extend((!is_known).then(|| format!("{path}: {line}")));
            }
        }
    }
    assert!(found >= 50, "{found} words are too few");
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// The documents about this version. Decisions and the changelog tell the past.
fn documents() -> impl Iterator<Item = (String, String)> {
    let is_current = |path: &str| !path.starts_with("docs/adr/") && path != "CHANGELOG.md";
    files("", ".md").into_iter().filter(move |(path, _)| is_current(path))
}

/// The lines of shell blocks, which are typed, and the code inside of sentences.
fn code(text: &str) -> Vec<(&str, bool)> {
    let typed = blocks(text).into_iter().filter(|block| block.language == "sh");
    let typed = typed.flat_map(|block| block.text.lines()).map(|line| (line, true));
    // Every second part between backticks is code.
    let inline = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).map(|line| (line, false));
    typed.chain(inline).collect()
}

/// The words of a `pointbook` command, without those that the shell interprets.
fn command(line: &str) -> Option<Vec<String>> {
    let ours = line.match_indices("pointbook ").map(|(at, _)| at).find(|&at| {
        let before = line[..at].trim_end();
        before.is_empty() || before.ends_with('|') || before.starts_with("POINTBOOK_")
    })?;
    let line = line[ours..].replace(" 2>", " >");
    let (mut words, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match (character, quoted) {
            ('"', _) => quoted = !quoted,
            ('|' | '<' | '>' | '#' | ';', false) => break,
            (' ', false) => words.push(String::new()),
            _ => words.last_mut()?.push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    Some(words)
}
