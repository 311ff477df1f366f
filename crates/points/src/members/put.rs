//! Creates and changes users. This process refuses a disabled user at once; other instances follow within the age of their
//! caches.

use pointbook_access::tokens::principal_cache::{PrincipalCache, Revocation};
use pointbook_access::users;
use pointbook_domain::{Timestamp, TokenKind, User};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{PutUser, UpsertOutcome, UserChange, UserProfile};
use pointbook_store::schema::rows::UserRow;
use pointbook_store::{Context, StoreResult};

use crate::members::read::as_of;

/// Creates a user, or changes the fields of the change. A user who is disabled already keeps the time.
pub struct ChangeUser {
    pub change: UserChange,
    pub now: Timestamp,
}

impl Command for ChangeUser {
    type Outcome = PutUser;

    const NAME: &'static str = "put_user";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<UserRow>(&self.change.id);
    }

    fn decide(&self, facts: &mut Facts) -> Result<PutUser, CommandError> {
        let Self { change, now } = self;
        let stored = users::user(facts, &change.id)?;
        let is_new = stored.is_none();
        let before = stored.unwrap_or_else(|| User::new(&change.id, *now));
        let user = change.applied_to(&before, *now);
        let outcome = match (is_new, user == before) {
            (true, _) => UpsertOutcome::Created,
            (false, true) => UpsertOutcome::Unchanged,
            (false, false) => UpsertOutcome::Replaced,
        };
        if outcome != UpsertOutcome::Unchanged {
            users::write(facts, user.clone())?;
        }
        Ok(PutUser { user, outcome })
    }
}

/// Creates each user, or replaces the profile. Balance and history stay. Returns one outcome per profile, in order.
pub struct ImportUsers {
    pub profiles: Vec<UserProfile>,
    pub now: Timestamp,
}

impl Command for ImportUsers {
    type Outcome = Vec<UpsertOutcome>;

    const NAME: &'static str = "upsert_users";

    fn needs(&self, needs: &mut Needs) {
        self.profiles.iter().for_each(|profile| needs.row::<UserRow>(&profile.id));
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<UpsertOutcome>, CommandError> {
        self.profiles.iter().map(|profile| self.import(profile, facts)).collect()
    }
}

impl ImportUsers {
    fn import(&self, profile: &UserProfile, facts: &mut Facts) -> Result<UpsertOutcome, CommandError> {
        let UserProfile { id, birth_date, locale } = profile;
        let (before, outcome) = match users::user(facts, id)? {
            Some(user) if (user.birth_date, &user.locale) == (*birth_date, locale) => {
                return Ok(UpsertOutcome::Unchanged);
            }
            Some(user) => (user, UpsertOutcome::Replaced),
            None => (User::new(id, self.now), UpsertOutcome::Created),
        };
        let user = before.with_birth_date(*birth_date, self.now);
        users::write(facts, User { locale: locale.clone(), ..user })?;
        Ok(outcome)
    }
}

/// Creates a user, or changes the fields of the change. Disabling a user goes on when the caller stops waiting.
pub async fn put_user(context: &Context, change: UserChange) -> StoreResult<PutUser> {
    let Context { tenant, now, .. } = context;
    let revocation = Revocation::Of(TokenKind::Customer(change.id.clone()));
    let shuts_out = change.disabled == Some(true);
    let command = ChangeUser { change, now: *now };
    if shuts_out {
        let context = context.clone();
        let write = async move { context.write(command).await };
        let put = tenant.state::<PrincipalCache>().revoking(revocation, *now, write).await?;
        return Ok(PutUser { user: as_of(tenant, put.user, *now), ..put });
    }
    let put = context.write(command).await?;
    if put.user.disabled_at.is_some() {
        // Another instance disabled the user, perhaps just now.
        tenant.state::<PrincipalCache>().forget(&revocation, *now);
    }
    Ok(PutUser { user: as_of(tenant, put.user, *now), ..put })
}
