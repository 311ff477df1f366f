//! What an operator should know about a new definition that is valid.

mod alone;
mod overlap;

use pointbook_domain::{ActivityType, TenantSettings, Timestamp, words};

use self::alone::{ceiling_warning, is_over, limit_warnings, match_warnings, reward_warning};
use self::overlap::can_match_together;
use crate::campaign::Campaign;
use crate::names::CampaignId;

words! {
    /// The kind of a warning. A code is never renamed or reused. Later versions may add codes.
    pub WarningCode {
        /// The tenant has no such activity type.
        UnknownType = "unknown_type",
        HasEnded = "has_ended",
        /// The conditions exclude each other.
        NeverMatches = "never_matches",
        /// Another limit always binds first.
        LimitNeverBinds = "limit_never_binds",
        /// The least base points earn nothing.
        RoundsToZero = "rounds_to_zero",
        /// The ceiling of the tenant cuts the reward of activities with few points.
        CeilingCuts = "ceiling_cuts",
        /// Another campaign can match the same activity, and both add up.
        Overlaps = "overlaps",
        /// Another campaign of the group has another rule for who wins.
        GroupRulesDiffer = "group_rules_differ",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub code: WarningCode,
    pub message: String,
    /// The campaign that the new one meets.
    pub other: Option<CampaignId>,
}

impl Warning {
    fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), other: None }
    }
}

/// The warnings about a new campaign, beside the other campaigns of the tenant. Other versions of the same campaign,
/// and campaigns that are over, are ignored.
pub fn warnings(
    new: &Campaign,
    others: &[&Campaign],
    now: Timestamp,
    settings: &TenantSettings,
) -> Vec<Warning> {
    let mut found = unknown_types(new, |kind| settings.knows_activity_type(kind));
    found.extend(match_warnings(new, now));
    found.extend(limit_warnings(&new.limits));
    found.extend(reward_warning(new));
    found.extend(ceiling_warning(new, settings.campaign_ceiling_factor));
    let others = others.iter().filter(|other| other.id != new.id && !is_over(other, now));
    found.extend(others.flat_map(|other| pair_warnings(new, other)));
    found
}

fn unknown_types(new: &Campaign, knows_type: impl Fn(&ActivityType) -> bool) -> Vec<Warning> {
    let unknown = new.conditions.types.iter().filter(|kind| !knows_type(kind));
    let warning =
        |kind| Warning::new(WarningCode::UnknownType, format!("the tenant has no activity type {kind}"));
    unknown.map(warning).collect()
}

fn pair_warnings(new: &Campaign, other: &Campaign) -> Vec<Warning> {
    let mut found = Vec::new();
    let groups = new.group.as_ref().zip(other.group.as_ref()).filter(|(new, other)| new.name == other.name);
    let mut warn =
        |code, message| found.push(Warning { other: Some(other.id.clone()), ..Warning::new(code, message) });
    if let Some((new, other_group)) = groups {
        let (name, wins) = (&new.name, other_group.wins.as_str());
        if new.wins != other_group.wins {
            let message = format!(
                "in the group {name}, {} has wins: {wins}; the campaign with the greatest priority decides",
                other.id
            );
            warn(WarningCode::GroupRulesDiffer, message);
        }
    } else if can_match_together(new, other) {
        let message = format!("{} can match the same activities, and both add up", other.id);
        warn(WarningCode::Overlaps, message);
    }
    found
}
