//! Reads the limits of a campaign.

use super::field::Field;
use super::object::Object;
use super::rule::FaultRule;
use crate::limits::{Budget, Limits, OnPointsLimit, UserLimit};
use crate::period::Period;

pub(super) fn read_limits(field: &Field<'_>) -> Limits {
    let Some(object) = Object::read(field, &["per_user", "budget", "on_points_limit"]) else {
        return Limits::NONE;
    };
    Limits {
        per_user: read_user_limits(&object.field("per_user")),
        budget: read_budget(&object.field("budget")),
        on_points_limit: object
            .field("on_points_limit")
            .choice(OnPointsLimit::ALL, OnPointsLimit::as_str)
            .unwrap_or(OnPointsLimit::Clip),
    }
}

/// Sorted by period. An empty list has no limit.
fn read_user_limits(field: &Field<'_>) -> Vec<UserLimit> {
    let mut limits: Vec<UserLimit> = Vec::new();
    for item in field.items(0, Period::ALL.len()) {
        let Some(limit) = read_user_limit(&item) else { continue };
        if limits.iter().any(|known| known.period == limit.period) {
            item.refuse::<()>(FaultRule::PeriodTwice { period: limit.period.as_str() });
        }
        limits.push(limit);
    }
    limits.sort_by_key(|limit| limit.period);
    limits
}

fn read_user_limit(field: &Field<'_>) -> Option<UserLimit> {
    let object = Object::read(field, &["period", "awards", "points"])?;
    let period = object.required("period").choice(Period::ALL, Period::as_str);
    let (awards, points) = read_numbers(field, &object);
    Some(UserLimit { period: period?, awards, points })
}

fn read_budget(field: &Field<'_>) -> Option<Budget> {
    let object = Object::read(field, &["awards", "points"])?;
    let (awards, points) = read_numbers(field, &object);
    Some(Budget { awards, points })
}

fn read_numbers(field: &Field<'_>, object: &Object<'_>) -> (Option<u64>, Option<pointbook_domain::Points>) {
    let (awards, points) = (object.field("awards"), object.field("points"));
    if awards.value.is_none() && points.value.is_none() {
        field.refuse::<()>(FaultRule::NoLimit);
    }
    (awards.count(), points.points())
}
