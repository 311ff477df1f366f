//! The audit of the budgets of campaigns: what the shares say was spent is what the awards come to.

use std::collections::BTreeMap;

use pointbook_store::ports::{Query, RowReader, TenantData, read_all};
use pointbook_store::schema::AWARDS;
use pointbook_store::schema::rows::{AwardRow, BudgetShare, CampaignVersionRow};
use pointbook_store::{StoreError, StoreResult};

use crate::campaigns::rules_cache::version_of;

const AWARDS_PER_READ: u32 = 4_000;

/// Awards and points.
type Sums = (i64, i64);

/// Compares the shares of every budget with each other and with the awards, as they are at one moment. Returns the differences in
/// words, by campaign.
///
/// # Errors
/// When the store fails.
pub async fn audit_budgets(data: &dyn TenantData) -> StoreResult<Vec<String>> {
    let moment = data.row_snapshot().await?;
    let shares = Query::of::<BudgetShare>("budget_shares", &["campaign_id", "holder"]);
    let shares: Vec<BudgetShare> = read_all(&*moment, shares).await?;
    if shares.is_empty() {
        return Ok(Vec::new());
    }
    let awarded = awarded(&*moment).await?;
    let mut by_campaign: BTreeMap<&str, Vec<&BudgetShare>> = BTreeMap::new();
    for share in &shares {
        by_campaign.entry(&share.campaign_id).or_default().push(share);
    }
    let mut differences = Vec::new();
    for (id, shares) in by_campaign {
        let awarded = awarded.get(id).copied().unwrap_or_default();
        let faults = faults(&shares, awarded);
        differences.extend(faults.into_iter().map(|fault| format!("campaign {id:?}: {fault}")));
    }
    Ok(differences)
}

/// What the awards of each campaign come to, as far as their versions have a budget.
async fn awarded(moment: &dyn RowReader) -> StoreResult<BTreeMap<String, Sums>> {
    let versions = Query::of::<CampaignVersionRow>("campaign_versions", &["revision"]);
    let versions: Vec<CampaignVersionRow> = read_all(moment, versions).await?;
    let mut has_budget = BTreeMap::new();
    for row in &versions {
        let budget = version_of(row)?.campaign.budget();
        has_budget.insert((row.campaign_id.clone(), row.version), budget.is_some());
    }
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    let mut after = None;
    loop {
        let rows = moment.rows_after(&AWARDS, after.as_ref(), AWARDS_PER_READ).await?;
        let awards = Query::of_table("awards", &AWARDS).read::<AwardRow>(&rows);
        for award in awards.map_err(|corrupt| StoreError::Corrupt(corrupt.0))? {
            let version = (award.campaign_id.clone(), award.version);
            if has_budget.get(&version).copied().unwrap_or_default() {
                let (awards, points) = sums.entry(award.campaign_id).or_default();
                *awards = awards.saturating_add(1);
                *points = points.saturating_add(award.points.get());
            }
        }
        match rows.into_iter().next_back() {
            Some(last) => after = Some(last),
            None => return Ok(sums),
        }
    }
}

fn faults(shares: &[&BudgetShare], awarded: Sums) -> Vec<String> {
    let (holders, sums): (Vec<&BudgetShare>, Vec<&BudgetShare>) =
        shares.iter().partition(|share| !share.holder.is_empty());
    let plus = |one: Sums, other: Sums| (one.0.saturating_add(other.0), one.1.saturating_add(other.1));
    let total = |part: &dyn Fn(&BudgetShare) -> Sums, of: &[&BudgetShare]| {
        of.iter().map(|share| part(share)).fold((0, 0), plus)
    };
    let taken = |share: &BudgetShare| (share.taken_awards, share.taken_points);
    let used = |share: &BudgetShare| {
        plus((share.spent_awards, share.spent_points), (share.returned_awards, share.returned_points))
    };
    let mut faults = Vec::new();
    let (handed_out, taken) = (total(&taken, &sums), total(&taken, &holders));
    if handed_out != taken {
        faults.push(format!("{} were handed out but the shares took {}", words(handed_out), words(taken)));
    }
    let used = total(&used, &holders);
    if used != awarded {
        faults.push(format!("the shares spent {} but the awards come to {}", words(used), words(awarded)));
    }
    faults
}

fn words((awards, points): Sums) -> String {
    format!("{awards} awards and {points} points")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(holder: &str, taken: Sums, spent: Sums, returned: Sums) -> BudgetShare {
        BudgetShare {
            campaign_id: "c".to_owned(),
            holder: holder.to_owned(),
            taken_awards: taken.0,
            taken_points: taken.1,
            spent_awards: spent.0,
            spent_points: spent.1,
            returned_awards: returned.0,
            returned_points: returned.1,
            notice: 0,
        }
    }

    #[test]
    fn sums_beyond_64_bits_are_a_fault_and_no_panic() {
        let most = (i64::MAX, i64::MAX);
        let (sums, one) = (share("", most, (0, 0), (0, 0)), share("a", most, most, most));
        let wrong = faults(&[&sums, &sums, &one, &one], (1, 1));
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        let (awards, points) = crate::earning::budget::spent([&one, &one]);
        assert_eq!((awards, points), most);
    }

    #[test]
    fn shares_that_come_to_the_awards_are_right() {
        let sums = share("", (300, 0), (0, 0), (0, 0));
        let (one, two) = (share("a", (200, 0), (3, 30), (1, 10)), share("b", (100, 0), (-1, -10), (1, 10)));
        assert!(faults(&[&sums, &one, &two], (4, 40)).is_empty());
        let wrong = faults(&[&sums, &one, &two], (5, 40));
        assert_eq!(
            wrong,
            ["the shares spent 4 awards and 40 points but the awards come to 5 awards and 40 points"]
        );
        let wrong = faults(&[&sums, &one], (4, 40));
        assert_eq!(
            wrong,
            ["300 awards and 0 points were handed out but the shares took 200 awards and 0 points"]
        );
    }
}
