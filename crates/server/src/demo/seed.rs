//! Putting the sample data of one environment in, once.

use std::io::Cursor;

use pointbook_app::ports::RecordOutcome;
use pointbook_app::{keep_token, record_activities, token_hash};
use pointbook_domain::Environment;
use serde_json::json;

use super::goods::{self, Good};
use super::people::{self, Person};
use super::{SampleResult, diary, orders};
use crate::import::{self, Format, Input, Kind, Target};

/// Puts in everything, unless the last token tells that it is there.
pub(super) async fn ensure(target: Target<'_>) -> SampleResult<()> {
    let tokens = people::tokens(target.tenant.tenant.environment)?;
    let (last, _) = tokens.last().ok_or("an environment without a token")?;
    let last = token_hash(last.as_bytes());
    if target.tenant.data.find_token(&last).await?.is_none() {
        fill(target).await?;
    }
    // Also on a later start: a token that was revoked in between works again.
    for (text, kind) in tokens {
        keep_token(&target.context(), text, kind, None).await?;
    }
    Ok(())
}

async fn fill(target: Target<'_>) -> SampleResult<()> {
    tracing::info!(tenant = %target.tenant.name(), "making sample data");
    let tenant = &target.tenant.tenant;
    let products = goods::products_jsonl(tenant.environment, tenant.created_at.day())?;
    import(target, Kind::Categories, goods::CATEGORIES.to_owned()).await?;
    import(target, Kind::Products, products).await?;
    import(target, Kind::Users, users_jsonl(tenant.environment)).await?;
    let goods = goods::goods()?;
    for person in people::living_in(tenant.environment) {
        record(target, person, &goods).await?;
    }
    orders::ensure(target).await
}

/// Imports text as `pointbook import` would; samples of which a part is refused are wrong as a whole.
async fn import(target: Target<'_>, kind: Kind, text: String) -> SampleResult<()> {
    let format = if kind == Kind::Categories { Format::Json } else { Format::Jsonl };
    let input = Input::reader(Cursor::new(text), Some(format));
    let summary = import::run(target, kind, input, import::Options::default()).await?;
    if summary.is_clean() { Ok(()) } else { Err(format!("the samples were refused: {summary:?}").into()) }
}

fn users_jsonl(environment: Environment) -> String {
    people::living_in(environment).fold(String::new(), |jsonl, person| {
        let Person { id, birth_date, locale, .. } = person;
        let user = json!({"user_id": id, "birth_date": birth_date, "locale": locale});
        format!("{jsonl}{user}\n")
    })
}

async fn record(target: Target<'_>, person: &Person, goods: &[Good]) -> SampleResult<()> {
    let today = target.tenant.tenant.created_at.day();
    let activities = diary::activities(person, goods, today)?;
    let recorded = record_activities(&target.context(), activities).await?.without_key()?;
    let is_refused = |outcome: &&RecordOutcome| {
        !matches!(outcome, RecordOutcome::Recorded | RecordOutcome::AlreadyRecorded)
    };
    match recorded.iter().find(is_refused) {
        Some(refused) => Err(format!("the history of {}: {refused:?}", person.id).into()),
        None => Ok(()),
    }
}
