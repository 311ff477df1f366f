//! Reads a reward.

use super::field::Field;
use super::object::Object;
use super::rule::FaultRule;
use super::sizes::MAX_PERCENT;
use crate::reward::{Amount, Reward};

pub(super) fn read_reward(field: &Field<'_>) -> Option<Reward> {
    let object = Object::read(field, &["percent", "points", "at_most"])?;
    let (percent, points) = (object.field("percent"), object.field("points"));
    let at_most = object.field("at_most").points();
    let amount = match (percent.value, points.value) {
        (Some(_), None) => read_percent(&percent),
        (None, Some(_)) => points.points().map(Amount::Points),
        (None, None) => field.refuse(FaultRule::NoReward),
        (Some(_), Some(_)) => {
            read_percent(&percent);
            points.points();
            field.refuse(FaultRule::TwoRewards)
        }
    };
    Some(Reward { amount: amount?, at_most })
}

fn read_percent(field: &Field<'_>) -> Option<Amount> {
    let percent = field.integer(1..=MAX_PERCENT.into())?;
    u32::try_from(percent).ok().map(Amount::Percent)
}
