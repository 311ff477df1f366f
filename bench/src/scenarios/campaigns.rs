//! Durable activities of tenants with fifty running campaigns and of a tenant without campaigns, on the same server.

use std::rc::Rc;

use anyhow::Result;

use super::writes::{activities_of_many, side};
use super::{Scenario, WRITERS};
use crate::data::{Dataset, NONE_GIVES, ONE_GIVES, WITHOUT};
use crate::measure::Side;
use crate::options::Options;
use crate::subject::{Subject, Use};

const BONUS: &str = r#","bonus_breakdown":[{"type":"campaign","title":"Bonus","points":5}]"#;

/// A label, the tenant, and what the back office adds to each activity.
type Writing = (&'static str, &'static str, &'static str);

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    let scenario = |name, sides: &'static [Writing]| {
        Scenario::new(name, move |subject: &Subject| open(subject, sides)).also_on_postgres()
    };
    vec![
        scenario(
            "activities with campaigns",
            &[("no campaigns", WITHOUT, ""), ("50 campaigns, none gives a bonus", NONE_GIVES, "")],
        ),
        scenario(
            "bonuses of campaigns",
            &[
                ("the back office sends the bonus", WITHOUT, BONUS),
                ("no campaigns, no bonus", WITHOUT, ""),
                ("of 50 campaigns, one gives a bonus", ONE_GIVES, ""),
            ],
        ),
    ]
}

fn open(subject: &Subject, sides: &[Writing]) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Campaigns, Use::Write)?.serve()?);
    let side = |(label, tenant, members): &Writing| {
        let (tenant, members) = (*tenant, *members);
        side(&service, label, WRITERS, move |service| activities_of_many(service, tenant, members))
    };
    Ok(sides.iter().map(side).collect())
}
