//! When the points of a member end, and what each row of the ledger changes in the member's lots.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use pointbook_domain::activity::EXPIRY_PREFIX;
use pointbook_domain::expiry::{ExpiryPolicy, Lots, Moves};
use pointbook_domain::settings::ExpiryType;
use pointbook_domain::texts::shipped_title;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{
    Activity, ActivityType, Attributes, BonusOrigin, Bonuses, Day, Locale, Points, SourceId, Tenant,
    TenantSettings, Timestamp, Transaction, TransactionId, UserId,
};
use pointbook_store::ServedTenant;
use pointbook_store::commands::{CommandError, Facts, Needs};
use pointbook_store::schema::rows::{AccountState, EntryRow, KeptLots, LotChangeRow, UserRow};
use sha2::{Digest, Sha256};

use super::{Addition, Overdraft, Recording, rows_on};

/// What decides when the points of a tenant's members end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    policy: ExpiryPolicy,
    /// The time zone of the tenant: a day ends at its midnight.
    zone: Zone,
    /// The type of the rows in which points end.
    kind: ActivityType,
    /// Which activities keep points alive. Empty for all.
    active_types: Vec<ActivityType>,
    grace_days: u32,
    /// The language of the titles of these rows. `None` for English.
    locale: Option<Locale>,
}

/// Those of a tenant with the default settings: points never end.
impl Default for Terms {
    fn default() -> Self {
        let settings = TenantSettings::default();
        let (policy, zone, kind) = (settings.points_expire, Zone::UTC, ActivityType::order());
        let (active_types, grace_days) = (settings.points_active_types, settings.refund_grace_days);
        Self { policy, zone, kind, active_types, grace_days, locale: None }
    }
}

/// Why a row changes lots.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cause<'m> {
    /// It gives or takes points.
    Activity,
    /// It takes back another row, or a part of it.
    Reversal {
        /// What that row moved.
        moved: &'m Moves,
        /// How many points of that row were taken back before.
        before: i64,
        /// Whether points end again, in a row of their own, that come back to a lot that has ended.
        ends_at_once: bool,
    },
    /// It ends these lots.
    End(&'m [Day]),
}

impl Terms {
    pub fn of(served: &ServedTenant) -> Self {
        Self::of_tenant(&served.tenant, served.zone())
    }

    /// The terms of a tenant with this time zone.
    pub fn of_tenant(tenant: &Tenant, zone: Zone) -> Self {
        let settings = &tenant.settings;
        let own = settings.points_expire_as.filter(|kind| *kind == ExpiryType::Expiry);
        let own = own.and_then(|kind| ActivityType::new(kind.as_str()).ok());
        Self {
            policy: settings.points_expire,
            zone,
            kind: own.unwrap_or_else(ActivityType::order),
            active_types: settings.points_active_types.clone(),
            grace_days: settings.refund_grace_days,
            locale: Some(tenant.locale.clone()),
        }
    }

    /// The local day of a time.
    pub fn day(&self, at: Timestamp) -> Day {
        self.zone.local_time(at).day
    }

    /// Whether points end some day that members earn now.
    pub fn has_end(&self) -> bool {
        self.policy != ExpiryPolicy::Never
    }

    /// Names what ending the due lots of a user needs. The account is needed before.
    pub(crate) fn need_due(&self, facts: &Facts, needs: &mut Needs, user_id: &UserId, at: Timestamp) {
        let Ok(Some(user)) = facts.get::<UserRow>(user_id) else { return };
        for End { last_day, source, .. } in self.due(&user.state, at) {
            needs.unlocked::<EntryRow>(&(user_id, &self.kind, &source));
            needs.any::<EntryRow>(rows_on(user_id, self.end_of(last_day).day()));
        }
    }

    /// Names what a row with this id needs besides that gives back points.
    pub(crate) fn need_reversal(&self, needs: &mut Needs, user_id: &UserId, id: &TransactionId) {
        if let Some(source) = self.source_of_second_end(id) {
            needs.unlocked::<EntryRow>(&(user_id, &self.kind, &source));
        }
    }

    /// The source id of the row that ends at once what the row with this id gave back. `None` when such points have days of grace.
    fn source_of_second_end(&self, given_back: &TransactionId) -> Option<SourceId> {
        let source = SourceId::new(format!("{EXPIRY_PREFIX}{given_back}")).ok();
        source.filter(|_| self.grace_days == 0)
    }

    /// The source id of the row that ends at once what the row with this id gives back, if no other row has it.
    pub(super) fn free_second_end(
        &self,
        facts: &Facts,
        user_id: &UserId,
        given_back: &TransactionId,
    ) -> Result<Option<SourceId>, CommandError> {
        let Some(source) = self.source_of_second_end(given_back) else { return Ok(None) };
        let is_free = facts.get::<EntryRow>(&(user_id, &self.kind, &source))?.is_none();
        Ok(is_free.then_some(source))
    }

    /// The lots of an account that have ended.
    fn due(&self, state: &AccountState, at: Timestamp) -> Vec<End> {
        let Some(KeptLots { lots, next_expiry_on }) = &state.lots else { return Vec::new() };
        let today = self.day(at);
        if *next_expiry_on >= today {
            return Vec::new();
        }
        let end = |(last_day, points)| {
            let source = SourceId::new(format!("{EXPIRY_PREFIX}{last_day}"));
            End { last_day, points, source: source.unwrap_or_else(|_| unreachable!("a day is a short text")) }
        };
        lots.due(today).map(end).collect()
    }

    /// When a day is over.
    pub(crate) fn end_of(&self, last_day: Day) -> Timestamp {
        let next = Day::from_days(last_day.as_days().saturating_add(1));
        next.map_or_else(|| last_day.end(), |next| self.zone.beginning(next))
    }

    /// The first lots of a user: the balance ends a full period from now.
    pub(super) fn first_lots(&self, balance: Points, at: Timestamp) -> (Lots, Moves) {
        let mut lots = Lots::default();
        let moves = match balance.get() {
            debt @ ..0 => lots.take(debt.saturating_neg(), &[]),
            points => lots.give(points, self.policy.first_last_day(self.day(at))),
        };
        (lots, moves)
    }

    /// Whether all points end together.
    fn has_moving_lot(&self) -> bool {
        matches!(self.policy, ExpiryPolicy::Inactivity { .. })
    }

    /// Whether a row keeps all points of the user alive.
    fn keeps_alive(&self, activity: &Activity) -> bool {
        let counts = self.active_types.is_empty() || self.active_types.contains(&activity.kind);
        self.has_moving_lot() && counts && activity.is_by_member()
    }

    /// Changes the lots as a row does that is recorded at this time.
    pub(super) fn change(
        &self,
        lots: &mut Lots,
        activity: &Activity,
        cause: Cause<'_>,
        at: Timestamp,
    ) -> Moves {
        let net = activity.net_points().map_or(0, Points::get);
        let (today, mut moves) = (self.day(at), Moves::default());
        let latest = lots.ending().last().map(|(last_day, _)| last_day);
        let moving = latest.filter(|_| self.has_moving_lot());
        match cause {
            Cause::End(days) => days.iter().for_each(|day| moves.extend(&lots.end(*day))),
            Cause::Reversal { moved, .. } if net < 0 => moves = lots.take_back(net.saturating_neg(), moved),
            Cause::Reversal { moved, before, ends_at_once } => {
                let last_day = |lot: Option<Day>| match (lot, moving) {
                    (Some(lot), Some(moving)) => lot.max(moving),
                    (Some(lot), None) if lot >= today || ends_at_once => lot,
                    (Some(_), None) => self.grace(today),
                    (None, _) => self.policy.last_day(today),
                };
                moves = lots.give_back((net, before), moved, last_day);
            }
            Cause::Activity => {
                // A late activity earns points that can still be spent today.
                let until = self.policy.last_day(self.day(activity.created_at)).max(today);
                let until = match moving {
                    Some(moving) if self.keeps_alive(activity) => {
                        moves.extend(&lots.postpone(until));
                        until.max(moving)
                    }
                    Some(moving) => moving,
                    None => until,
                };
                let own = if net < 0 { lots.take(net.saturating_neg(), &[]) } else { lots.give(net, until) };
                moves.extend(&own);
            }
        }
        moves
    }

    /// The last day of points that come back to a lot that has ended.
    fn grace(&self, today: Day) -> Day {
        let days = i32::try_from(self.grace_days).unwrap_or(i32::MAX);
        today.as_days().checked_add(days).and_then(Day::from_days).unwrap_or(today)
    }

    /// The row in which points end.
    fn row(
        &self,
        id: TransactionId,
        source_id: SourceId,
        points: Points,
        created_at: Timestamp,
    ) -> Transaction {
        let activity = Activity {
            kind: self.kind.clone(),
            source_id,
            points: points.negated(),
            bonuses: Bonuses::NONE,
            title: shipped_title(self.locale.as_ref(), ExpiryType::Expiry.as_str()),
            subtitle: String::new(),
            created_at,
            attributes: Attributes::NONE,
        };
        Transaction { id, activity, bonus_origin: BonusOrigin::Undecided }
    }
}

/// A lot that has ended.
struct End {
    last_day: Day,
    points: i64,
    /// The source id of its row.
    source: SourceId,
}

/// Ends the lots of a user that are over, each in a row. A user without lots gets them when points end: nobody had any before.
///
/// # Errors
/// When what [`Terms::need_due`] names was not loaded.
pub(crate) fn settle(
    facts: &mut Facts,
    user_id: &UserId,
    terms: &Terms,
    at: Timestamp,
) -> Result<(), CommandError> {
    open(facts, user_id, terms, at)?;
    let Some(user) = facts.get::<UserRow>(user_id)? else { return Ok(()) };
    for End { last_day, points, source } in terms.due(&user.state, at) {
        let is_taken = facts.get::<EntryRow>(&(user_id, &terms.kind, &source))?.is_some();
        end(facts, user_id, terms, (&[last_day], points), (source, is_taken), (terms.end_of(last_day), at))?;
    }
    Ok(())
}

/// Gives a user lots who has none, when points end.
fn open(facts: &mut Facts, user_id: &UserId, terms: &Terms, at: Timestamp) -> Result<(), CommandError> {
    let user = facts.get::<UserRow>(user_id)?.filter(|user| user.state.lots.is_none() && terms.has_end());
    let Some(mut user) = user.cloned() else { return Ok(()) };
    let (lots, moves) = terms.first_lots(user.state.balance, at);
    user.state.lots = Some(lots.into());
    if moves != Moves::default() {
        let (after_seq, changed_at) = (user.state.last_seq, at);
        facts.insert(LotChangeRow { user_id: user_id.clone(), after_seq, changed_at, moves });
    }
    facts.put(user)
}

/// Ends what a row gave back to lots that have ended.
pub(super) fn end_again(
    facts: &mut Facts,
    user_id: &UserId,
    terms: &Terms,
    source: SourceId,
    at: Timestamp,
) -> Result<(), CommandError> {
    let Some(user) = facts.get::<UserRow>(user_id)? else { return Ok(()) };
    let ended = terms.due(&user.state, at);
    let (days, points): (Vec<Day>, Vec<i64>) = ended.iter().map(|end| (end.last_day, end.points)).unzip();
    if days.is_empty() {
        Ok(())
    } else {
        end(facts, user_id, terms, (&days, points.iter().sum()), (source, false), (at, at))
    }
}

/// Adds the row in which lots end. When the ledger has a row of the back office under its source id, the id of the row is added, which
/// nobody knew before.
fn end(
    facts: &mut Facts,
    user_id: &UserId,
    terms: &Terms,
    (days, points): (&[Day], i64),
    (source, is_taken): (SourceId, bool),
    (created_at, at): (Timestamp, Timestamp),
) -> Result<(), CommandError> {
    let Some(user) = facts.get::<UserRow>(user_id)?.cloned() else { return Ok(()) };
    let wrong = |what| CommandError::in_row("users", user_id.as_str(), what);
    let id = id(&user.state, &source, created_at);
    let source = if is_taken {
        SourceId::new(format!("{source}:{id}")).map_err(|_| wrong("has a long id"))?
    } else {
        source
    };
    let points = Points::new(points).map_err(|_| wrong("has lots out of range"))?;
    let row = Arc::new(terms.row(id, source, points, created_at));
    match (Recording { at, overdraft: Overdraft::Allowed, terms }).add(facts, user, &row, Cause::End(days))? {
        Addition::Added { .. } => Ok(()),
        Addition::AlreadyRecorded(_) | Addition::Refused(_) => Err(wrong("has lots that cannot end")),
    }
}

/// An id for a row that no request brings: it is the same when the command is decided again, and ids of one time have no order to keep.
fn id(before: &AccountState, source_id: &SourceId, created_at: Timestamp) -> TransactionId {
    let hash = Sha256::new().chain_update(before.last_hash).chain_update(source_id.as_str()).finalize();
    let millis = (created_at.as_micros() / 1_000).max(0).to_be_bytes();
    let bytes: Vec<u8> = millis.iter().skip(2).chain(hash.iter()).copied().take(16).collect();
    TransactionId::new(HEXLOWER.encode(&bytes)).unwrap_or_else(|_| unreachable!("32 digits are an id"))
}
