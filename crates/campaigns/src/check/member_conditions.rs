//! Conditions that look at the user.

use pointbook_domain::{Day, Timestamp};

use crate::campaign::Campaign;
use crate::conditions::Conditions;
use crate::event::Member;
use crate::inputs::Inputs;
use crate::refusal::{Refusal, require};

const MICROS_PER_DAY: i64 = 86_400_000_000;

pub(super) fn check_member(conditions: &Conditions, member: &Member<'_>) -> Result<(), Refusal> {
    let Conditions { member_since, member_before, members, .. } = conditions;
    require(member_since.is_none_or(|since| since <= member.created_at), Refusal::MemberSince)?;
    require(member_before.is_none_or(|before| member.created_at < before), Refusal::MemberBefore)?;
    let is_listed = members.is_empty() || members.binary_search(member.id).is_ok();
    require(is_listed, Refusal::NotAListedMember)
}

/// The birthday that the campaign pays for. `None` for a campaign that needs no birthday.
pub(super) fn check_birthday(campaign: &Campaign, inputs: &Inputs<'_>) -> Result<Option<Day>, Refusal> {
    let Some(condition) = campaign.conditions.birthday else { return Ok(None) };
    let birth_date = inputs.member.birth_date.ok_or(Refusal::NoBirthDate)?;
    let birthday = condition.birthday(inputs.event.local.day, birth_date, inputs.options.feb29);
    let birthday = birthday.ok_or(Refusal::NotBirthday)?;
    let set_at = inputs.member.birth_date_set_at;
    let days = inputs.options.birth_date_days;
    require(
        set_at.is_none_or(|set_at| is_days_old(set_at, inputs.event.at, days)),
        Refusal::BirthDateTooNew,
    )?;
    match inputs.counters.last_birthday(campaign.id()) {
        Some(last_paid) if condition.has_paid(birthday, last_paid) => {
            Err(Refusal::AlreadyThisYear { last_paid })
        }
        _ => Ok(Some(birthday)),
    }
}

/// Whether a moment is at least this many days of 24 hours before another one. 0 sets no bound.
fn is_days_old(moment: Timestamp, at: Timestamp, days: u32) -> bool {
    days == 0 || at.as_micros() - moment.as_micros() >= i64::from(days) * MICROS_PER_DAY
}
