//! The operators of a tenant: the people who work with it in the console. A tenant that has operators has an owner.

use pointbook_domain::{Email, Operator, OperatorName, OperatorSession, Role};
use pointbook_store::audit_log::{operator_note, session_note};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{TenantData, read_all};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::LinkRequest;
use pointbook_store::{Context, StoreResult};

use crate::operators::known::KnownOperators;

/// How many operators a tenant may have. A command loads all of them.
pub const MAX_OPERATORS: usize = 50;

/// Why the operators stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OperatorRefusal {
    #[error("the tenant has another operator with this email address")]
    EmailTaken,
    #[error("the tenant has {MAX_OPERATORS} operators, which is the limit: remove one first")]
    TooMany,
    #[error("the first operator of a tenant must be an owner")]
    FirstIsNoOwner,
    #[error("this is the last owner: make another operator an owner first")]
    LastOwner,
    #[error("the tenant has no such operator")]
    Unknown,
}

/// Stores a new operator. The first one of a tenant must be an owner.
#[derive(Debug)]
pub struct AddOperator(pub Operator);

impl Command for AddOperator {
    type Outcome = Result<(), OperatorRefusal>;

    const NAME: &'static str = "add_operator";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Operator>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let (Self(operator), known) = (self, facts.table::<Operator>()?);
        if known.iter().any(|other| other.email == operator.email) {
            return Ok(Err(OperatorRefusal::EmailTaken));
        }
        if known.len() >= MAX_OPERATORS {
            return Ok(Err(OperatorRefusal::TooMany));
        }
        if known.is_empty() && operator.role != Role::Owner {
            return Ok(Err(OperatorRefusal::FirstIsNoOwner));
        }
        write(facts, None, operator)?;
        Ok(Ok(()))
    }
}

/// Gives an operator a role.
#[derive(Debug)]
pub struct SetOperatorRole {
    pub email: Email,
    pub role: Role,
}

impl Command for SetOperatorRole {
    type Outcome = Result<(), OperatorRefusal>;

    const NAME: &'static str = "set_operator_role";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Operator>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let Self { email, role } = self;
        let known = facts.table::<Operator>()?;
        let Some(operator) = find(&known, email) else { return Ok(Err(OperatorRefusal::Unknown)) };
        if operator.role == *role {
            return Ok(Ok(()));
        }
        if is_last_owner(&known, operator) {
            return Ok(Err(OperatorRefusal::LastOwner));
        }
        let after = Operator { role: *role, ..operator.clone() };
        write(facts, Some(operator), &after)?;
        Ok(Ok(()))
    }
}

/// Removes an operator with all sessions. The last owner may go only as the last operator.
#[derive(Debug)]
pub struct RemoveOperator(pub Email);

impl Command for RemoveOperator {
    type Outcome = Result<(), OperatorRefusal>;

    const NAME: &'static str = "remove_operator";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Operator>();
        needs.table::<OperatorSession>();
        needs.table::<LinkRequest>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let (Self(email), known) = (self, facts.table::<Operator>()?);
        let Some(operator) = find(&known, email) else { return Ok(Err(OperatorRefusal::Unknown)) };
        if known.len() > 1 && is_last_owner(&known, operator) {
            return Ok(Err(OperatorRefusal::LastOwner));
        }
        let sessions = facts.table::<OperatorSession>()?;
        for session in sessions.iter().filter(|session| session.operator_id == operator.id) {
            facts.note(|| session_note("session.end", session, None));
            facts.remove(session)?;
        }
        for request in
            facts.table::<LinkRequest>()?.iter().filter(|request| request.operator_id == operator.id)
        {
            facts.remove(request)?;
        }
        facts.remove(operator)?;
        facts.note(|| operator_note(Some(operator), None));
        Ok(Ok(()))
    }
}

fn find<'k>(known: &'k [Operator], email: &Email) -> Option<&'k Operator> {
    known.iter().find(|operator| operator.email == *email)
}

fn write(facts: &mut Facts, before: Option<&Operator>, after: &Operator) -> Result<(), CommandError> {
    facts.note(|| operator_note(before, Some(after)));
    facts.put(after.clone())
}

fn is_last_owner(known: &[Operator], operator: &Operator) -> bool {
    let owners = known.iter().filter(|other| other.role == Role::Owner).count();
    operator.role == Role::Owner && owners == 1
}

/// All operators of a tenant, by email address.
pub async fn list_operators(data: &dyn TenantData) -> StoreResult<Vec<Operator>> {
    read_all(data, Query::of::<Operator>("list_operators", &["email"])).await
}

/// Adds an operator to the tenant, and returns it.
///
/// # Errors
/// When the store fails.
pub async fn add_operator(
    context: &Context,
    (email, name): (Email, OperatorName),
    role: Role,
) -> StoreResult<Result<Operator, OperatorRefusal>> {
    let (id, created_at, created_by) = (context.ids.operator_id(), context.now, context.actor.to_string());
    let operator = Operator { email, id, name, role, created_at, created_by };
    let outcome = context.write(AddOperator(operator.clone())).await?;
    context.tenant.state::<KnownOperators>().forget().await;
    Ok(outcome.map(|()| operator))
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{OperatorId, Timestamp, TokenHash};
    use pointbook_store::commands::{Range, RowChange};
    use pointbook_store::schema::{Cell, Row, cells};
    use pointbook_store::schema::{OPERATOR_SESSIONS, OPERATORS};

    use super::*;

    fn email(name: &str) -> Email {
        Email::parse(&format!("{name}@example.com")).unwrap()
    }

    fn operator(name: &str, role: Role) -> Operator {
        Operator {
            email: email(name),
            id: OperatorId::new(name).unwrap(),
            name: OperatorName::new(name).unwrap(),
            role,
            created_at: Timestamp::from_micros(0).unwrap(),
            created_by: "command-line".to_owned(),
        }
    }

    fn facts(operators: &[(&str, Role)]) -> Facts {
        let mut facts = Facts::default();
        let row = |(name, role): &(&str, Role)| operator(name, *role);
        facts.load_range(&Range::default(), operators.iter().map(row));
        facts.load_range::<OperatorSession>(&Range::default(), []);
        facts.load_range::<LinkRequest>(&Range::default(), []);
        facts
    }

    fn row_of(operator: &Operator) -> Row {
        cells(operator).into_iter().map(Cell::from).collect()
    }

    fn written(operator: &Operator) -> RowChange {
        RowChange::Write(&OPERATORS, row_of(operator))
    }

    fn removed(name: &str) -> RowChange {
        RowChange::Remove(&OPERATORS, row_of(&operator(name, Role::Owner))[..1].to_vec())
    }

    type Decided = (Result<(), OperatorRefusal>, Vec<RowChange>);

    fn decide(
        command: &impl Command<Outcome = Result<(), OperatorRefusal>>,
        operators: &[(&str, Role)],
    ) -> Decided {
        let mut facts = facts(operators);
        (command.decide(&mut facts).unwrap(), facts.into_changes().rows())
    }

    fn refused(refusal: OperatorRefusal) -> Decided {
        (Err(refusal), Vec::new())
    }

    const OWNER_AND_ANALYST: [(&str, Role); 2] = [("ada", Role::Owner), ("ben", Role::Analyst)];

    #[test]
    fn the_first_operator_is_an_owner() {
        let first = |role| decide(&AddOperator(operator("ada", role)), &[]);
        assert_eq!(first(Role::Support), refused(OperatorRefusal::FirstIsNoOwner));
        let ada = operator("ada", Role::Owner);
        assert_eq!(first(Role::Owner), (Ok(()), vec![written(&ada)]));
        let ben = operator("ben", Role::Support);
        let second = decide(&AddOperator(ben.clone()), &[("ada", Role::Owner)]);
        assert_eq!(second, (Ok(()), vec![written(&ben)]));
    }

    #[test]
    fn an_email_address_is_that_of_one_operator() {
        let again = AddOperator(operator("ben", Role::Owner));
        assert_eq!(decide(&again, &OWNER_AND_ANALYST), refused(OperatorRefusal::EmailTaken));
    }

    #[test]
    fn a_tenant_has_at_most_50_operators() {
        let names: Vec<_> = (0..MAX_OPERATORS).map(|number| format!("o{number}")).collect();
        let all: Vec<_> = names.iter().map(|name| (name.as_str(), Role::Owner)).collect();
        let new = AddOperator(operator("new", Role::Owner));
        assert_eq!(decide(&new, &all), refused(OperatorRefusal::TooMany));
        assert_eq!(decide(&new, &all[1..]).0, Ok(()));
    }

    #[test]
    fn the_last_owner_stays_while_there_are_others() {
        let demote = SetOperatorRole { email: email("ada"), role: Role::Manager };
        assert_eq!(decide(&demote, &OWNER_AND_ANALYST), refused(OperatorRefusal::LastOwner));
        assert_eq!(decide(&demote, &OWNER_AND_ANALYST[..1]), refused(OperatorRefusal::LastOwner));
        let remove = RemoveOperator(email("ada"));
        assert_eq!(decide(&remove, &OWNER_AND_ANALYST), refused(OperatorRefusal::LastOwner));
        let removed = (Ok(()), vec![removed("ada")]);
        assert_eq!(decide(&remove, &OWNER_AND_ANALYST[..1]), removed);
        assert_eq!(decide(&remove, &[("ada", Role::Owner), ("eve", Role::Owner)]), removed);
    }

    #[test]
    fn a_removed_operator_takes_the_sessions_along() {
        let session = |number: u8, name: &str| {
            let (hash, at) = (TokenHash([number; 32]), Timestamp::from_micros(0).unwrap());
            let operator_id = OperatorId::new(name).unwrap();
            let (id, created_at, expires_at) = (hash.id(), at, at);
            OperatorSession {
                id,
                operator_id,
                hash,
                created_at,
                expires_at,
                address: None,
                last_used_at: None,
            }
        };
        let mut facts = facts(&OWNER_AND_ANALYST);
        facts.load(session(1, "ben"));
        facts.load(session(2, "ada"));
        assert_eq!(RemoveOperator(email("ben")).decide(&mut facts).unwrap(), Ok(()));
        let session = cells(&session(1, "ben").id).into_iter().map(Cell::from).collect();
        let expected = [RowChange::Remove(&OPERATOR_SESSIONS, session), removed("ben")];
        assert_eq!(facts.into_changes().rows(), expected);
    }

    #[test]
    fn another_role_is_a_change_and_the_same_role_is_none() {
        let set = |role| decide(&SetOperatorRole { email: email("ben"), role }, &OWNER_AND_ANALYST);
        let change = written(&operator("ben", Role::Owner));
        assert_eq!(set(Role::Owner), (Ok(()), vec![change]));
        assert_eq!(set(Role::Analyst), (Ok(()), Vec::new()));
    }

    #[test]
    fn an_unknown_operator_is_refused() {
        let set = SetOperatorRole { email: email("eve"), role: Role::Owner };
        assert_eq!(decide(&set, &OWNER_AND_ANALYST), refused(OperatorRefusal::Unknown));
        let remove = RemoveOperator(email("eve"));
        assert_eq!(decide(&remove, &OWNER_AND_ANALYST), refused(OperatorRefusal::Unknown));
    }

    #[test]
    fn commands_on_the_same_facts_see_each_other() {
        let mut facts = facts(&OWNER_AND_ANALYST);
        let mut set =
            |name: &str, role| SetOperatorRole { email: email(name), role }.decide(&mut facts).unwrap();
        assert_eq!(set("ben", Role::Owner), Ok(()));
        assert_eq!(set("ada", Role::Manager), Ok(()));
        assert_eq!(set("ben", Role::Manager), Err(OperatorRefusal::LastOwner));
    }
}
