//! Users and their profiles.

use pointbook_domain::{User, UserId};

use super::Facts;
use crate::commands::{Changes, CommandError};

/// A user as read, and as it is now.
#[derive(Debug)]
pub(super) struct UserFact {
    is_stored: bool,
    is_changed: bool,
    now: Option<User>,
}

impl UserFact {
    pub(super) fn add_changes(self, changes: &mut Changes) {
        let Self { is_stored, is_changed: true, now: Some(user) } = self else { return };
        if is_stored { changes.changed_users.push(user) } else { changes.new_users.push(user) }
    }
}

impl Facts {
    /// A user with the profile; `None` when the user is unknown.
    pub fn put_user(&mut self, id: UserId, user: Option<User>) {
        let fact = UserFact { is_stored: user.is_some(), is_changed: false, now: user };
        self.users.entry(id).or_insert(fact);
    }

    /// The user with the profile.
    ///
    /// # Errors
    /// When the user was not loaded.
    pub fn user(&self, id: &UserId) -> Result<Option<&User>, CommandError> {
        Ok(self.users.get(id).ok_or_else(|| CommandError::not_loaded("users", id.as_str()))?.now.as_ref())
    }

    /// Creates a user, or changes the profile of one.
    ///
    /// # Errors
    /// When the user was not loaded.
    pub fn write_user(&mut self, user: User) -> Result<(), CommandError> {
        let fact = self
            .users
            .get_mut(&user.id)
            .ok_or_else(|| CommandError::not_loaded("users", user.id.as_str()))?;
        (fact.is_changed, fact.now) = (true, Some(user));
        Ok(())
    }
}
