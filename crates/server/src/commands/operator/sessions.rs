//! How operators sign in to the console: links, and the sessions that they open.

use std::sync::Arc;

use pointbook_access::operators::manage::{OperatorRefusal, list_operators};
use pointbook_access::sessions::{
    EndSessionsOfOperator, PagesOf, SignInLink, link_url, list_operator_sessions,
};
use pointbook_domain::{Email, Operator, OperatorSession, Timestamp};
use pointbook_store::tenant_secret::TenantSecret;
use pointbook_store::{SecretSource as _, ServedTenant};
use serde_json::{Value, json};

use super::{
    CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, print, print_list, refused, say,
};
use crate::config::configured_console;
use crate::sources::OsSecrets;

/// Prints a link. It is stored nowhere, so this only reads, except for the first link of a tenant without a secret.
pub(super) async fn link(context: &Context, tenant: &str, email: &Email) -> CommandResult {
    let origin = configured_console()?;
    let service = context.open_as(DatabaseClient::ReadOnly).await?;
    let served = find_tenant(&service, tenant)?;
    let (operator, now) = (find(&served, email).await?, service.now_of(&served));
    let secret = match served.secrets.get(now).await {
        Ok(secret) => secret,
        // A file that was opened for reading takes no new secret.
        Err(_) => make_secret(context, tenant, now).await?,
    };
    let link = SignInLink::new(operator.id, now, OsSecrets.secret());
    let url = link_url(origin.of(&served.tenant), PagesOf::Console, &served.tenant, &link.to_text(&secret));
    print(format_args!("{url}\n"))?;
    say(format_args!("{email} can sign in with it once, until {}", link.expires_at));
    Ok(())
}

async fn make_secret(context: &Context, tenant: &str, now: Timestamp) -> Result<Arc<TenantSecret>, Failure> {
    let service = context.open_as(DatabaseClient::Command).await?;
    Ok(find_tenant(&service, tenant)?.secrets.get(now).await?)
}

/// Lists the sessions that have not ended, the newest first.
pub(super) async fn list(context: &Context, tenant: &str, json: bool) -> CommandResult {
    let service = context.open_as(DatabaseClient::ReadOnly).await?;
    let served = find_tenant(&service, tenant)?;
    let operators = list_operators(&*served.data).await?;
    // Sessions last in real time, because the clock of a tenant may jump ahead.
    let sessions = list_operator_sessions(&*served.data, service.clock.now()).await?;
    let email = |session: &OperatorSession| {
        let operator = operators.iter().find(|operator| operator.id == session.operator_id);
        operator.map(|operator| operator.email.clone())
    };
    let of_operators: Vec<_> =
        sessions.into_iter().filter_map(|session| Some((email(&session)?, session))).collect();
    let titles = ["EMAIL", "ID", "SINCE", "UNTIL", "ADDRESS"];
    print_list(&of_operators, json, to_json, titles, to_row)
}

/// Ends all sessions of one operator.
pub(super) async fn end(context: &Context, tenant: &str, email: &Email) -> CommandResult {
    let service = context.open_as(DatabaseClient::Command).await?;
    let served = find_tenant(&service, tenant)?;
    let operator = find(&served, email).await?;
    let ended = acting::<()>(&service, &served).write(EndSessionsOfOperator(operator.id)).await?;
    print(format_args!("sessions of {email} ended: {ended}\n"))
}

async fn find(served: &ServedTenant, email: &Email) -> Result<Operator, Failure> {
    let operators = list_operators(&*served.data).await?;
    let found = operators.into_iter().find(|operator| operator.email == *email);
    found.ok_or_else(|| refused(email, OperatorRefusal::Unknown))
}

fn to_row((email, session): &(Email, OperatorSession)) -> [String; 5] {
    let OperatorSession { id, created_at, address, .. } = session;
    [
        email.to_string(),
        id.to_string(),
        created_at.to_string(),
        session.ends_at().to_string(),
        address.clone().unwrap_or_else(|| "-".to_owned()),
    ]
}

fn to_json((email, session): &(Email, OperatorSession)) -> Value {
    let OperatorSession { id, operator_id, hash: _, created_at, expires_at, address, last_used_at } = session;
    json!({
        "id": id.to_string(),
        "operator_id": operator_id.as_str(),
        "email": email.as_str(),
        "created_at": created_at.to_string(),
        "expires_at": expires_at.to_string(),
        "address": address,
        "last_used_at": last_used_at.map(|at| at.to_string()),
        "ends_at": session.ends_at().to_string(),
    })
}
