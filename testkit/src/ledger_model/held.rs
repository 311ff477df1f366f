//! Activities that wait.

use pointbook_domain::{Activity, BonusOrigin, Points, Timestamp, Transaction, UserId};
use pointbook_points::held::{HoldOutcome, VoidActivity, VoidOutcome};
use pointbook_store::schema::rows::HeldActivity;

use super::NaiveTenant;
use super::plan::USERS;
use crate::build;

fn activity(held: &HeldActivity) -> Activity {
    let HeldActivity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes, .. } =
        held.clone();
    Activity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes }
}

fn points(held: &HeldActivity) -> i64 {
    held.points.get() + held.bonuses.total().get()
}

impl NaiveTenant {
    /// One of the held activities, counted from the last one; or one that nobody held.
    pub(super) fn nth_held(&self, nth: usize, now: Timestamp) -> HeldActivity {
        let unknown = || build::held(build::recorded(USERS[0], build::activity("never", 1)), now, now);
        self.held.iter().nth_back(nth).cloned().unwrap_or_else(unknown)
    }

    /// `None` for a user who never had a held activity.
    pub(super) fn pending(&self, user: &UserId) -> Option<Points> {
        let waiting = self.held.iter().filter(|held| held.user_id == *user && held.release_at.is_some());
        self.ever_held.contains(user).then(|| build::points(waiting.map(points).sum()))
    }

    /// The held activity with this key.
    pub(super) fn find_held(&self, user: &UserId, activity: &Activity) -> Option<usize> {
        let has_key = |held: &HeldActivity| {
            (&held.user_id, &held.kind, &held.source_id) == (user, &activity.kind, &activity.source_id)
        };
        self.held.iter().position(has_key)
    }

    pub(super) fn hold(&mut self, held: &HeldActivity, has_own_time: bool) -> HoldOutcome {
        let (user, given) = (&held.user_id, activity(held));
        let is_same = |first: &Activity| {
            let created_at = if has_own_time { given.created_at } else { first.created_at };
            *first == Activity { created_at, ..given.clone() }
        };
        if let Some((_, first)) = self.find(user, &given) {
            return if is_same(&first.activity) {
                HoldOutcome::AlreadyRecorded(self.recorded(user, &given))
            } else {
                HoldOutcome::Conflict
            };
        }
        if let Some(place) = self.find_held(user, &given) {
            let first = self.held[place].clone();
            return if is_same(&activity(&first)) {
                HoldOutcome::AlreadyHeld(first, self.points(user))
            } else {
                HoldOutcome::Conflict
            };
        }
        if self.is_of_an_order(&given) {
            return HoldOutcome::Conflict;
        }
        self.ever_held.insert(user.clone());
        self.held.push(held.clone());
        HoldOutcome::Held(held.clone(), self.points(user))
    }

    pub(super) fn release(&mut self, held: &HeldActivity, now: Timestamp) -> bool {
        let Some(place) = self.find_held(&held.user_id, &activity(held)) else { return false };
        if self.held[place].release_at.is_none_or(|release_at| release_at > now) {
            return false;
        }
        let released = self.held.remove(place);
        let (id, bonus_origin) = (held.id.clone(), BonusOrigin::BackOffice);
        let transaction = Transaction { id, activity: activity(&released), bonus_origin };
        self.append(&released.user_id, transaction, now);
        true
    }

    pub(super) fn void(&mut self, void: &VoidActivity) -> VoidOutcome {
        let Some(held) = &void.held else {
            return if void.is_recorded { VoidOutcome::Released } else { VoidOutcome::Unknown };
        };
        let balance = self.points(&held.user_id);
        let Some(place) = self.find_held(&held.user_id, &activity(held)) else {
            return VoidOutcome::Released;
        };
        let held = &mut self.held[place];
        if held.release_at.take().is_none() {
            return VoidOutcome::AlreadyVoided(held.clone(), balance);
        }
        (held.voided_at, held.reason) = (Some(void.at), void.reason.clone());
        VoidOutcome::Voided(held.clone(), balance)
    }
}
