//! `pointbook operator`: the people who work with a tenant in the console.

mod sessions;

use clap::Subcommand;
use pointbook_access::operators::manage::{
    OperatorRefusal, RemoveOperator, SetOperatorRole, add_operator, list_operators,
};
use pointbook_domain::{Email, Operator, OperatorName, Role, Scope};
use serde_json::{Value, json};

use super::{CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, print, print_list, say};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add an operator; the first one of a tenant must be an owner
    Add {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// The email address for signing in; no two operators of a tenant share one
        #[arg(value_parser = Email::parse)]
        email: Email,

        /// The name of the person, up to 255 characters
        #[arg(long, value_name = "TEXT", value_parser = |text: &str| OperatorName::new(text))]
        name: OperatorName,

        /// What the operator may do: owner, manager, support, fulfilment, analyst or auditor
        #[arg(long, value_name = "ROLE", value_parser = Role::parse)]
        role: Role,
    },
    /// List the operators by email address, with their roles
    List {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// Print JSON, with the scopes of each role
        #[arg(long)]
        json: bool,
    },
    /// Give an operator another role
    Role {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// The email address of the operator
        #[arg(value_parser = Email::parse)]
        email: Email,

        /// The new role: owner, manager, support, fulfilment, analyst or auditor
        #[arg(value_parser = Role::parse)]
        role: Role,
    },
    /// Print a link with which an operator signs in to the console, once within ten minutes
    Link {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// The email address of the operator
        #[arg(value_parser = Email::parse)]
        email: Email,
    },
    /// List the browsers in which operators are signed in
    Sessions {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End all sessions of an operator, who needs a new link then
    EndSessions {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// The email address of the operator
        #[arg(value_parser = Email::parse)]
        email: Email,
    },
    /// Remove an operator and end the operator's sessions; the last owner goes last
    Remove {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// The email address of the operator
        #[arg(value_parser = Email::parse)]
        email: Email,
    },
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Add { tenant, email, name, role } => add(context, &tenant, (email, name), role).await,
        Command::List { tenant, json } => {
            let service = context.open_as(DatabaseClient::ReadOnly).await?;
            let operators = list_operators(&*find_tenant(&service, &tenant)?.data).await?;
            let titles = ["EMAIL", "ROLE", "ADDED", "BY", "ID", "NAME"];
            print_list(&operators, json, to_json, titles, to_row)
        }
        Command::Role { tenant, email, role } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let served = find_tenant(&service, &tenant)?;
            let command = SetOperatorRole { email: email.clone(), role };
            let outcome = acting::<()>(&service, &served).write(command).await?;
            outcome.map_err(|refusal| refused(&email, refusal))?;
            print(format_args!("operator {email} is {role}\n"))
        }
        Command::Link { tenant, email } => sessions::link(context, &tenant, &email).await,
        Command::Sessions { tenant, json } => sessions::list(context, &tenant, json).await,
        Command::EndSessions { tenant, email } => sessions::end(context, &tenant, &email).await,
        Command::Remove { tenant, email } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let served = find_tenant(&service, &tenant)?;
            let outcome = acting::<()>(&service, &served).write(RemoveOperator(email.clone())).await?;
            outcome.map_err(|refusal| refused(&email, refusal))?;
            print(format_args!("operator {email} removed\n"))
        }
    }
}

async fn add(
    context: &Context,
    tenant: &str,
    (email, name): (Email, OperatorName),
    role: Role,
) -> CommandResult {
    let service = context.open_as(DatabaseClient::Command).await?;
    let served = find_tenant(&service, tenant)?;
    let outcome = add_operator(&acting(&service, &served), (email.clone(), name), role).await?;
    let Operator { id, .. } = outcome.map_err(|refusal| refused(&email, refusal))?;
    print(format_args!("operator {email} added as {role}, with the id {id}\n"))
}

fn refused(email: &Email, refusal: OperatorRefusal) -> Failure {
    let message = format!("{email}: {refusal}");
    match refusal {
        OperatorRefusal::Unknown => {
            say(message);
            Failure::found_wrong()
        }
        OperatorRefusal::EmailTaken
        | OperatorRefusal::TooMany
        | OperatorRefusal::FirstIsNoOwner
        | OperatorRefusal::LastOwner => Failure::input(message),
    }
}

fn to_row(operator: &Operator) -> [String; 6] {
    let Operator { email, id, name, role, created_at, created_by } = operator;
    [
        email.to_string(),
        role.to_string(),
        created_at.to_string(),
        created_by.clone(),
        id.to_string(),
        name.to_string(),
    ]
}

fn to_json(operator: &Operator) -> Value {
    let Operator { email, id, name, role, created_at, created_by } = operator;
    json!({
        "id": id.as_str(),
        "email": email.as_str(),
        "name": name.as_str(),
        "role": role.as_str(),
        "scopes": role.scopes().map(Scope::as_str).collect::<Vec<_>>(),
        "created_at": created_at.to_string(),
        "created_by": created_by,
    })
}
