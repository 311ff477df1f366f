//! Loads and saves the awards of campaigns and the shares of their budgets.

use futures_util::FutureExt;

use crate::commands::{BudgetChange, Facts, Needs};
use crate::postgres::connection::{Params, Transaction};
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::pipeline::all;
use crate::postgres::raw_rows;
use crate::schema::rows::{AwardRow, BudgetShare};
use crate::schema::{Dialect, Group, OnConflict, Query, Read, Statement};
use crate::statement;

/// Which shares of a budget a transaction locks before it reads all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeldShares {
    /// That of this process, so that its groups take turns. Most transactions change no other share.
    Own,
    /// All, in the order of their key. No other transaction can overtake this one then.
    All,
}

impl HeldShares {
    /// Attempts are counted from 0. Another transaction may have made the first one fail.
    pub(super) fn of_attempt(attempt: u32) -> Self {
        if attempt == 0 { Self::Own } else { Self::All }
    }
}

/// Call it after the accounts are locked. Nothing that holds a share waits for an account.
pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    held: HeldShares,
    facts: &mut Facts,
) -> Outcome<()> {
    if needs.awards.is_empty() && needs.budgets.is_empty() {
        return Ok(());
    }
    hold_shares(database, tenant, needs, held).await?;
    let awards = needs.awards.iter().map(|range| read(database, tenant, range.query()).boxed());
    for (range, awards) in needs.awards.iter().zip(all(awards.collect()).await?) {
        facts.put_awards(range.clone(), awards);
    }
    let budgets = needs.budgets.iter().map(|need| read(database, tenant, need.query()).boxed());
    for (need, shares) in needs.budgets.iter().zip(all(budgets.collect()).await?) {
        facts.put_budget(need, shares);
    }
    Ok(())
}

async fn read<T: Group + for<'r> Read<'r>>(
    database: &Transaction,
    tenant: &str,
    query: Query,
) -> Outcome<Vec<T>> {
    Ok(query.read(&raw_rows::read(database, tenant, &query).await?)?)
}

async fn hold_shares(database: &Transaction, tenant: &str, needs: &Needs, held: HeldShares) -> Outcome<()> {
    if needs.budgets.is_empty() {
        return Ok(());
    }
    let campaigns: Vec<&str> = needs.budgets.iter().map(|need| need.campaign_id.as_str()).collect();
    let holders: Vec<&str> = needs.budgets.iter().map(|need| need.holder.as_str()).collect();
    let own = "SELECT campaign_id FROM budget_shares
         WHERE tenant_id = $1 AND (campaign_id, holder) IN (
             SELECT campaign_id, holder FROM unnest($2::text[], $3::text[]) AS given (campaign_id, holder)
         )
         ORDER BY campaign_id, holder FOR NO KEY UPDATE";
    let all = "SELECT campaign_id FROM budget_shares
         WHERE tenant_id = $1 AND campaign_id = ANY ($2::text[])
         ORDER BY campaign_id, holder FOR NO KEY UPDATE";
    let held = match held {
        HeldShares::Own => database.rows(own, &[&tenant, &campaigns, &holders]).await,
        HeldShares::All => database.rows(all, &[&tenant, &campaigns]).await,
    };
    held.map(drop)
}

pub(super) async fn insert(database: &Transaction, tenant: &str, awards: &[AwardRow]) -> Outcome<()> {
    let insert = statement!(Statement::insert::<AwardRow>(Dialect::Postgres, OnConflict::Fail));
    database.write_all(insert, tenant, awards).await
}

/// Fails as overtaken when another process has changed a share since it was read, or has locked it. It never waits for a share,
/// because the other process may wait for one that this transaction holds. The next attempt holds all of them.
pub(super) async fn save_shares(
    database: &Transaction,
    tenant: &str,
    changes: &[BudgetChange],
) -> Outcome<()> {
    for change in changes {
        save_share(database, tenant, change).await?;
    }
    Ok(())
}

async fn save_share(database: &Transaction, tenant: &str, change: &BudgetChange) -> Outcome<()> {
    let BudgetChange { before, after } = change;
    let Some(before) = before else {
        let insert = statement!(Statement::insert::<BudgetShare>(Dialect::Postgres, OnConflict::Fail));
        return database.write_all(insert, tenant, &[after]).await;
    };
    let BudgetShare { campaign_id, holder, taken_awards, taken_points, .. } = after;
    let BudgetShare { spent_awards, spent_points, returned_awards, returned_points, notice, .. } = after;
    let update = "UPDATE budget_shares SET taken_awards = $4, taken_points = $5, spent_awards = $6,
             spent_points = $7, returned_awards = $8, returned_points = $9, notice = $10
         WHERE tenant_id = $1 AND campaign_id = $2 AND holder = (
                 SELECT holder FROM budget_shares WHERE tenant_id = $1 AND campaign_id = $2 AND holder = $3
                 FOR NO KEY UPDATE SKIP LOCKED
             )
             AND taken_awards = $11 AND taken_points = $12 AND spent_awards = $13 AND spent_points = $14
             AND returned_awards = $15 AND returned_points = $16 AND notice = $17";
    let given: Params<'_> = &[
        &tenant,
        campaign_id,
        holder,
        taken_awards,
        taken_points,
        spent_awards,
        spent_points,
        returned_awards,
        returned_points,
        notice,
        &before.taken_awards,
        &before.taken_points,
        &before.spent_awards,
        &before.spent_points,
        &before.returned_awards,
        &before.returned_points,
        &before.notice,
    ];
    match database.execute(update, given).await? {
        1 => Ok(()),
        _ => Err(StoreFailure::Overtaken),
    }
}
