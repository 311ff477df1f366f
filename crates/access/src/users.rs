//! The rows of users, who own tokens. What they earn and spend is in `points`.

use pointbook_domain::{EventType, FeedEntry, User, UserId};
use pointbook_store::audit_log::{ChangeNote, user_fields};
use pointbook_store::commands::{CommandError, Facts};
use pointbook_store::schema::rows::UserRow;

/// A user with the profile. `None` when the user is unknown.
///
/// # Errors
/// When the command did not need the row.
pub fn user(facts: &Facts, id: &UserId) -> Result<Option<User>, CommandError> {
    Ok(facts.get::<UserRow>(id)?.cloned().map(User::from))
}

/// Creates a user, or changes the profile of one.
///
/// # Errors
/// When the command did not need the row.
pub fn write(facts: &mut Facts, user: User) -> Result<(), CommandError> {
    let before = facts.get::<UserRow>(&user.id)?.cloned();
    let kind = match &before {
        None => EventType::UserCreated,
        Some(_) if user.disabled_at.is_some() => EventType::UserDisabled,
        Some(_) => EventType::UserChanged,
    };
    facts.tell(FeedEntry { kind, user_id: Some(user.id.clone()), id: None, row: None });
    let state = before.as_ref().map(|before| before.state.clone());
    let new = UserRow::from(user);
    let row = UserRow { state: state.unwrap_or(new.state), ..new };
    facts.note(|| {
        let operation = if before.is_some() { "user.change" } else { "user.create" };
        let fields = |row: UserRow| user_fields(&row.into());
        let object = format!("user:{}", row.id);
        ChangeNote::new(operation, object, before.map(fields), Some(fields(row.clone())))
    });
    facts.put(row)
}
