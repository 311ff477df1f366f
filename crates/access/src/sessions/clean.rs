//! Removes sessions of operators that have ended.

use pointbook_domain::{OperatorSession, Timestamp};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::read_all;
use pointbook_store::schema::Query;
use pointbook_store::{Context, StoreResult};

/// Removes the sessions that have ended at this time, and returns their number.
#[derive(Debug)]
struct RemoveExpiredSessions(Timestamp);

impl Command for RemoveExpiredSessions {
    type Outcome = usize;

    const NAME: &'static str = "remove_expired_operator_sessions";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<OperatorSession>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<usize, CommandError> {
        let sessions = facts.table::<OperatorSession>()?;
        let expired: Vec<_> = sessions.iter().filter(|session| session.ends_at() <= self.0).collect();
        for session in &expired {
            facts.remove(*session)?;
        }
        Ok(expired.len())
    }
}

/// Removes the sessions of operators that have ended, and returns their number. A tenant without such sessions costs one read.
///
/// # Errors
/// When the store fails.
pub async fn clean_operator_sessions(context: &Context) -> StoreResult<usize> {
    let query = Query::of::<OperatorSession>("operator_sessions", &["id"]);
    let sessions: Vec<OperatorSession> = read_all(&*context.tenant.data, query).await?;
    // Sessions last in real time.
    let real_now = context.real_now();
    if sessions.iter().all(|session| real_now < session.ends_at()) {
        return Ok(0);
    }
    context.write(RemoveExpiredSessions(real_now)).await
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{OperatorId, TokenHash};
    use pointbook_store::commands::Range;

    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    fn session(number: u8, expires_at: i64) -> OperatorSession {
        let hash = TokenHash([number; 32]);
        let operator_id = OperatorId::new("ada").unwrap();
        let (created_at, expires_at) = (at(0), at(expires_at));
        OperatorSession {
            id: hash.id(),
            operator_id,
            hash,
            created_at,
            expires_at,
            address: None,
            last_used_at: None,
        }
    }

    #[test]
    fn only_expired_sessions_are_removed() {
        let mut facts = Facts::default();
        let stored = [session(1, 9), session(2, 10), session(3, 11)];
        facts.load_range(&Range::default(), stored.clone());
        assert_eq!(RemoveExpiredSessions(at(10)).decide(&mut facts).unwrap(), 2);
        let left = facts.table::<OperatorSession>().unwrap();
        assert_eq!(left, stored[2..]);
    }
}
