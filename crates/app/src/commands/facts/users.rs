//! Users and their profiles.

use pointbook_domain::{User, UserId};

use super::Facts;
use super::account::UserFact;
use crate::commands::CommandError;

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
