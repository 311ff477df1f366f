//! Operators without a session who ask for a sign-in link. Who may make links sees them in the console.

use std::sync::Mutex;

use pointbook_domain::{Operator, OperatorId, TenantSettings, Timestamp};
use pointbook_store::{ServedTenant, StoreResult, TenantState};

use crate::openid::rate::Rate;
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{TenantData, read_all};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::LinkRequest;

use crate::sessions::LINK_SECONDS;

/// How often people ask for links. Anyone may ask, so one address cannot keep the database busy.
#[derive(Default)]
pub(crate) struct LinkAsks(Mutex<Rate>);

impl TenantState for LinkAsks {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self::default()
    }
}

impl LinkAsks {
    /// Counts a request of this address, and says whether it is one too many.
    pub(crate) fn is_too_many(&self, address: &str, now: Timestamp) -> bool {
        let seconds = now.as_micros().div_euclid(1_000_000);
        self.0.lock().is_ok_and(|mut rate| rate.admit(address, seconds).is_err())
    }
}

/// Notes that an operator waits for a link. A request within [`LINK_SECONDS`] of the last one changes nothing, so strangers who know an
/// address cause few writes.
#[derive(Debug)]
pub struct AskForLink {
    pub operator_id: OperatorId,
    pub now: Timestamp,
}

impl Command for AskForLink {
    type Outcome = ();

    const NAME: &'static str = "ask_for_link";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Operator>();
        needs.table::<LinkRequest>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        let Self { operator_id: id, now } = self;
        let operators = facts.table::<Operator>()?;
        let is_known = |id: &OperatorId| operators.iter().any(|operator| operator.id == *id);
        let requests = facts.table::<LinkRequest>()?;
        let is_recent = |request: &LinkRequest| {
            request.operator_id == *id
                && request.asked_at <= *now
                && *now < request.asked_at.plus_seconds(LINK_SECONDS)
        };
        if !is_known(id) || requests.iter().any(is_recent) {
            return Ok(());
        }
        for gone in requests.iter().filter(|request| !is_known(&request.operator_id)) {
            facts.remove(gone)?;
        }
        facts.put(LinkRequest { operator_id: id.clone(), asked_at: *now })?;
        facts.note(|| ChangeNote::new("operator.link_ask", format!("operator:{id}"), None, None));
        Ok(())
    }
}

/// Forgets the request of an operator, who has a link or is in. The command needs the row.
///
/// # Errors
/// When the command did not need it.
pub(super) fn forget(facts: &mut Facts, id: &OperatorId) -> Result<(), CommandError> {
    match facts.get::<LinkRequest>(id)?.cloned() {
        Some(request) => facts.remove(&request),
        None => Ok(()),
    }
}

/// Who waits for a link, and since when.
///
/// # Errors
/// When the store fails.
pub async fn list_link_requests(data: &dyn TenantData) -> StoreResult<Vec<(OperatorId, Timestamp)>> {
    let query = Query::of::<LinkRequest>("list_link_requests", &["operator_id"]);
    let requests: Vec<LinkRequest> = read_all(data, query).await?;
    Ok(requests.into_iter().map(|request| (request.operator_id, request.asked_at)).collect())
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{Email, OperatorName, Role};
    use pointbook_store::commands::Range;

    use super::*;

    fn id(name: &str) -> OperatorId {
        OperatorId::new(name).unwrap()
    }

    fn at(seconds: u32) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus_seconds(seconds)
    }

    /// How many rows a request of Ada changes at this second, after these requests.
    fn asked(second: u32, requests: &[(&str, u32)]) -> usize {
        let ada = Operator {
            email: Email::parse("ada@example.com").unwrap(),
            id: id("ada"),
            name: OperatorName::new("Ada").unwrap(),
            role: Role::Support,
            created_at: at(0),
            created_by: "command-line".to_owned(),
        };
        let mut facts = Facts::default();
        facts.load_range(&Range::default(), [ada]);
        let rows = requests
            .iter()
            .map(|(name, second)| LinkRequest { operator_id: id(name), asked_at: at(*second) });
        facts.load_range(&Range::default(), rows);
        AskForLink { operator_id: id("ada"), now: at(second) }.decide(&mut facts).unwrap();
        facts.into_changes().rows().len()
    }

    #[test]
    fn a_request_is_noted_once_in_ten_minutes_and_forgets_operators_who_are_gone() {
        assert_eq!(asked(0, &[]), 1);
        assert_eq!(asked(599, &[("ada", 0)]), 0);
        assert_eq!(asked(600, &[("ada", 0)]), 1);
        assert_eq!(asked(0, &[("gone", 0)]), 2);
    }
}
