//! Adds the sample data of one environment, once.

use std::io::Cursor;

use pointbook_access::tokens::issue::{NewToken, keep_token};
use pointbook_store::ports::tokens::token_hash;
use serde_json::{Value, json};

use super::{campaigns, operators, orders};
use crate::import;
use crate::import::{Format, Input, Kind, Target};
use crate::sample::people::Person;
use crate::sample::{SampleResult, diary, goods, people};

/// Longer than the longest history.
const HISTORY_DAYS: u32 = 800;

/// Adds all sample data, unless the last token exists already.
pub(super) async fn ensure(target: Target<'_>) -> SampleResult<()> {
    let tokens = people::tokens(target.tenant.tenant.environment)?;
    let (last, _) = tokens.last().ok_or("an environment without a token")?;
    let last = token_hash(last.as_bytes());
    if target.tenant.data.find_token(&last).await?.is_none() {
        fill(target).await?;
    }
    operators::ensure(target).await?;
    // Every start does this, so that a revoked token works again.
    for (text, kind) in tokens {
        keep_token(&target.context(), &text, NewToken::new(kind, None)).await?;
    }
    Ok(())
}

async fn fill(target: Target<'_>) -> SampleResult<()> {
    tracing::info!(tenant = %target.tenant.name(), "creating sample data");
    let tenant = &target.tenant.tenant;
    import(target, Kind::Categories, goods::CATEGORIES.to_owned()).await?;
    import_products(target).await?;
    let (goods, people) = (goods::goods()?, people::living_in(tenant.environment)?);
    let users = people.iter().map(|Person { id, birth_date, locale, .. }| {
        json!({"user_id": id, "birth_date": birth_date, "locale": locale})
    });
    import(target, Kind::Users, jsonl(users)).await?;
    let begins_at = tenant.created_at.minus_days(HISTORY_DAYS);
    campaigns::ensure(target, begins_at).await?;
    for person in &people {
        let activities = diary::activities(person, &goods, tenant.created_at.day())?;
        import(target, Kind::Activities, jsonl(activities)).await?;
    }
    orders::ensure(target).await
}

/// Imports the products with the URLs of their pictures at this server.
pub(super) async fn import_products(target: Target<'_>) -> SampleResult<()> {
    import(target, Kind::Products, goods::products_jsonl(&target.tenant.tenant)?).await
}

pub(super) fn jsonl(rows: impl IntoIterator<Item = Value>) -> String {
    rows.into_iter().flat_map(|row| [row.to_string(), "\n".to_owned()]).collect()
}

/// Imports a string as `pointbook import --apply-rules` does. Fails when the import rejects a row.
pub(super) async fn import(target: Target<'_>, kind: Kind, text: String) -> SampleResult<()> {
    let format = if kind == Kind::Categories { Format::Json } else { Format::Jsonl };
    let input = Input::reader(Cursor::new(text), Some(format));
    let options = import::Options { apply_rules: kind == Kind::Activities, ..import::Options::default() };
    let summary = import::run(target, kind, input, options).await?;
    if summary.is_clean() { Ok(()) } else { Err(format!("the import rejected samples: {summary:?}").into()) }
}
