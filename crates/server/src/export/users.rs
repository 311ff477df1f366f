use pointbook_app::ports::TenantData;
use pointbook_domain::User;

use super::error::ExportError;
use super::row_writer::{RowWriter, Value};
use crate::import::USER_COLUMNS;

/// Users read at a time.
const PAGE: u32 = 5_000;

/// Writes every user's profile, by id. Balances follow from the activities.
pub(super) async fn export(data: &dyn TenantData, mut rows: RowWriter<'_>) -> Result<u64, ExportError> {
    rows.start(&USER_COLUMNS)?;
    let mut after = None;
    loop {
        let page = data.users_after(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some(last.id.clone());
        for user in page {
            let User { id, balance: _, birth_date, locale, disabled_at: _, created_at: _ } = user;
            let values = [
                Value::Text(id.to_string()),
                Value::optional(birth_date, |day| Value::Text(day.to_string())),
                Value::optional(locale, |locale| Value::Text(locale.to_string())),
            ];
            rows.write(&USER_COLUMNS, values)?;
        }
    }
}
