//! Reads members as they are now: without points that are over.

use pointbook_domain::{Day, PageRequest, Timestamp, User, UserId};
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{PageOf, UserFilter};
use pointbook_store::schema::rows::UserRow;
use pointbook_store::{Context, ServedTenant, StoreError, StoreResult};

use crate::ledger;
use crate::ledger::Terms;

/// A member, as of now.
///
/// # Errors
/// When the store fails.
pub async fn member(served: &ServedTenant, id: &UserId, now: Timestamp) -> StoreResult<Option<User>> {
    let user = served.data.user(id).await?;
    Ok(user.map(|user| as_of(served, user, now)))
}

/// A page of members, as of now.
///
/// # Errors
/// When the store fails.
pub async fn members(
    served: &ServedTenant,
    filter: &UserFilter,
    page: PageRequest,
    now: Timestamp,
) -> StoreResult<PageOf<User>> {
    let PageOf { items, total } = served.data.users(filter, page).await?;
    Ok(PageOf { items: items.into_iter().map(|user| as_of(served, user, now)).collect(), total })
}

/// A user as of now.
pub fn as_of(served: &ServedTenant, user: User, now: Timestamp) -> User {
    if user.lots.is_some() { user.on(served.local_time(now).day) } else { user }
}

/// Ends the points of users that are over, and gives lots to those who have none when points end.
pub struct EndPoints {
    pub users: Vec<UserId>,
    pub terms: Terms,
    pub at: Timestamp,
}

impl Command for EndPoints {
    /// How many of the users it changed.
    type Outcome = u32;

    const NAME: &'static str = "end_points";

    fn lane(&self) -> Lane {
        match &self.users[..] {
            [user] => Lane::User(user.clone()),
            _ => Lane::Service,
        }
    }

    fn needs(&self, needs: &mut Needs) {
        self.users.iter().for_each(|user| needs.row::<UserRow>(user));
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.users.iter().for_each(|user| self.terms.need_due(facts, needs, user, self.at));
    }

    fn decide(&self, facts: &mut Facts) -> Result<u32, CommandError> {
        let mut changed = 0;
        for user in &self.users {
            let before =
                facts.get::<UserRow>(user)?.map(|row| (row.state.last_seq, row.state.lots.is_some()));
            ledger::settle(facts, user, &self.terms, self.at)?;
            let after = facts.get::<UserRow>(user)?.map(|row| (row.state.last_seq, row.state.lots.is_some()));
            changed += u32::from(before != after);
        }
        Ok(changed)
    }
}

/// Ends the points of a member that are over, so that the history has the row. Says whether it did. `next_expiry_on` is the
/// last day of the points that end first. When nothing can be written now, the history shows what stands.
///
/// # Errors
/// When the store fails otherwise.
pub async fn end_due<T>(
    context: &Context<T>,
    user: &UserId,
    next_expiry_on: Option<Day>,
) -> StoreResult<bool> {
    let today = || context.tenant.local_time(context.now).day;
    if next_expiry_on.is_none_or(|last_day| last_day >= today()) {
        return Ok(false);
    }
    let terms = Terms::of(&context.tenant);
    match context.write(EndPoints { users: vec![user.clone()], terms, at: context.now }).await {
        Ok(changed) => Ok(changed > 0),
        Err(StoreError::Unavailable(_) | StoreError::Overloaded) => Ok(false),
        Err(error) => Err(error),
    }
}
