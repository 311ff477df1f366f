//! The source ids of back-filled rows.

use pointbook_campaigns::CampaignId;
use pointbook_domain::activity::BACK_FILL_SUFFIX;
use pointbook_domain::id::IdError;
use pointbook_domain::{SourceId, TransactionId};

/// The source id under which a version of a campaign gives its award for a transaction.
///
/// # Errors
/// When the id of the transaction is too long for that. The service makes short ids.
pub(super) fn back_fill_source(
    id: &TransactionId,
    campaign: &CampaignId,
    version: u32,
) -> Result<SourceId, IdError> {
    SourceId::new(format!("{id}:{campaign}:{version}{BACK_FILL_SUFFIX}"))
}

/// The id of the transaction for which the row with this source id has the award. `None` for a row of another campaign.
pub(crate) fn filled_transaction<'s>(source: &'s SourceId, campaign: &CampaignId) -> Option<&'s str> {
    let (of_campaign, _version) = source.as_str().strip_suffix(BACK_FILL_SUFFIX)?.rsplit_once(':')?;
    of_campaign.strip_suffix(campaign.as_str())?.strip_suffix(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_names_its_transaction_for_its_campaign_only() {
        let campaign = |id: &str| CampaignId::new(id).unwrap();
        let source = back_fill_source(&TransactionId::new("t1").unwrap(), &campaign("spring"), 3).unwrap();
        assert_eq!(source.as_str(), "t1:spring:3:back-fill");
        assert_eq!(filled_transaction(&source, &campaign("spring")), Some("t1"));
        for other in ["ring", "spring-2", "sprin"] {
            assert_eq!(filled_transaction(&source, &campaign(other)), None, "{other}");
        }
    }
}
