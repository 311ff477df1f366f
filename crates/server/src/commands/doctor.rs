//! `pointbook doctor`: checks this installation and says how to fix it.

use clap::Args;
use serde_json::{Value, json};

use super::config::FileArgument;
use super::{CommandResult, Context, Failure, print};
use crate::config::{self, Config};
use crate::doctor::{
    Finding, State, examine_base_urls, examine_console, examine_database, examine_key_file,
    examine_listeners, examine_machine, examine_openid,
};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Print JSON: `ok`, which is false when a finding is a problem, and `findings`
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    pub(crate) file: FileArgument,
}

/// Fails with [`crate::failure::Exit::FoundWrong`] when a finding is a problem. Warnings alone are not a failure.
pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let (mut findings, config) = configuration(&arguments.file);
    findings.extend(context.database().map(examine_machine).unwrap_or_default());
    findings.extend(examine_key_file(&config.key_file));
    let (found, service) = examine_database(context).await;
    findings.extend(found);
    findings.extend(examine_listeners(&config).await);
    findings.extend(examine_openid(&config.openid).await);
    if let Some(service) = service {
        findings.extend(examine_console(&config, service.directory().tenants()));
        findings.extend(examine_base_urls(service.directory().tenants()).await);
    }
    let is_fine = findings.iter().all(|finding| finding.state != State::Problem);
    if arguments.json {
        let findings: Value = findings.iter().map(Finding::to_json).collect();
        print(format_args!("{:#}\n", json!({ "ok": is_fine, "findings": findings })))?;
    } else {
        print(findings.iter().map(Finding::to_text).collect::<String>())?;
    }
    if is_fine { Ok(()) } else { Err(Failure::found_wrong()) }
}

/// The findings of the configuration, and the defaults for the other checks when the configuration is invalid.
fn configuration(file: &FileArgument) -> (Vec<Finding>, Config) {
    const CHECK: &str = "configuration";
    match config::load(file.config.as_deref()) {
        Ok(config) => {
            let source = match &file.config {
                Some(path) => format!("{} and the environment", path.display()),
                None => "defaults and the environment".to_owned(),
            };
            (vec![Finding::fine(CHECK, source)], config)
        }
        Err(failure) => {
            let advice = "`pointbook config show --default` prints every key with its rules";
            let problem = |message| Finding::problem(CHECK, message, advice);
            (failure.messages.into_iter().map(problem).collect(), Config::default())
        }
    }
}
