//! Maps the types of the domain to columns, and declares the parts of tables that statements read or write.

#[cfg(test)]
mod tests;

use pointbook_domain::category::{CategoryEntry, EntryParent};
use pointbook_domain::expiry::{Lots, Moves};
use pointbook_domain::ledger::{CHAIN_START, ChainHash};
use pointbook_domain::{
    Activity, ActivityType, Attributes, AuditEntry, BaseUrl, BonusOrigin, Bonuses, CategoryId, CategoryTree,
    ClockOffset, Day, EarnedCounts, Environment, FeedBlock, FeedEntry, Locale, Networks, NewAuditEntry,
    Order, OrderId, OrderStatus, OrderedProduct, Points, Price, Product, ProductId, Quantity, Scopes, Slug,
    SourceId, Tenant, TenantId, TenantSettings, Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord,
    Transaction, TransactionId, User, UserId,
};

pub use crate::schema::tables::*;
use crate::schema::{
    CellRef, Column, ColumnAt, Columns, Corrupt, Kind, RawText, Read, Record, Source, Write,
};

columns! {
    Tenant of TENANTS / 1, read {
        id: TenantId, slug: Slug, environment: Environment, base_url: BaseUrl, name: String,
        locale: Locale, settings: TenantSettings, created_at: Timestamp,
        clock as "clock_offset": ClockOffset,
    }

    User of USERS / 1, both {
        id: UserId, balance: Points, birth_date: Option<Day>, locale: Option<Locale>,
        disabled_at: Option<Timestamp>, created_at: Timestamp, birth_date_set_at: Option<Timestamp>,
        lots: Option<Lots>, pending as "pending_points": Option<Points>,
    }

    Product of PRODUCTS / 1, both {
        id: ProductId, sku: String, title: String, description: String, description_source: String,
        regular_price: Price, sale_price: Option<Price>, thumbnail: String, gallery: Vec<String>,
        categories: Vec<CategoryId>, stock: Option<u32>, popular: bool, published_at: Timestamp,
        active: bool, brand: Option<String>,
    }

    Transaction of TRANSACTIONS / 1, both {
        id: TransactionId, activity: Activity, bonus_origin: BonusOrigin,
    }

    Activity of TRANSACTIONS / 0, both {
        created_at: Timestamp, kind as "type": ActivityType, source_id: SourceId, points: Points,
        bonuses as "bonus_breakdown": Bonuses, title: String, subtitle: String, attributes: Attributes,
    }

    Order of ORDERS / 1, both {
        id: OrderId, number: String, user_id: UserId, product: OrderedProduct, quantity: Quantity,
        points: Points, takes_stock: bool, status: OrderStatus, created_at: Timestamp,
        fulfilled_at: Option<Timestamp>, cancelled_at: Option<Timestamp>,
    }

    OrderedProduct of ORDERS / 0, both {
        id as "product_id": ProductId, sku as "product_sku": String, title as "product_title": String,
        price as "product_price": Price,
    }

    AuditEntry of AUDIT_ENTRIES / 1, both {
        seq: u64, new: NewAuditEntry, hash: ChainHash,
    }

    NewAuditEntry of AUDIT_ENTRIES / 0, both {
        at: Timestamp, actor: String, actor_label: Option<String>, operation: String, object: String,
        before as "old_values": Option<String>, after as "new_values": Option<String>,
        reason: Option<String>, request_id: Option<String>, address: Option<String>,
    }

    FeedBlock of FEED_BLOCKS / 1, both {
        last_position: u64, at as "created_at": Timestamp, entries: Vec<FeedEntry>,
    }

    TokenRecord of TOKENS / 1, both {
        hash: TokenHash, kind: TokenKind, created_at: Timestamp, expires_at: Option<Timestamp>,
        revoked_at: Option<Timestamp>, label: Option<TokenLabel>, scopes: Option<Scopes>, networks: Networks,
        created_by: Option<String>, last_used_at: Option<Timestamp>,
    }
}

rows! {
    /// A tenant without its id, which is the first parameter of every insert.
    NewTenant<'t> of TENANTS / 0, write {
        slug: &'t Slug, environment: Environment, base_url: &'t BaseUrl, name: &'t str,
        locale: &'t Locale, settings: &'t TenantSettings, created_at: Timestamp,
        clock as "clock_offset": ClockOffset,
    }

    /// The state of a user's ledger: the balance, the number of days with rows, and `seq` and hash of the newest row.
    AccountState of USERS / 0, both {
        balance: Points, day_count: u64, last_seq: u64, last_hash: ChainHash,
        /// How many activities earned points.
        earned as "earned_counts": EarnedCounts,
        lots: Option<KeptLots>,
        /// The points of held activities. `None` for a user who never had any.
        pending as "pending_points": Option<Points>,
    }

    /// The lots of a user.
    KeptLots of USERS / 0, both {
        lots: Lots,
        /// [`Lots::next_last_day`].
        next_expiry_on: Day,
    }

    /// A user, with the state after the newest ledger row.
    UserRow of USERS / 1, both {
        id: UserId, state: AccountState, profile: MemberProfile, disabled_at: Option<Timestamp>,
    }

    /// What a user has, and when it ends.
    UserLots of USERS / 1, read {
        id: UserId, balance: Points, kept: Option<KeptLots>,
    }

    /// The key of a held activity, and its time.
    HeldKey of HELD_ACTIVITIES / 3, read {
        user_id: UserId, kind as "type": ActivityType, source_id: SourceId, release_at: Option<Timestamp>,
    }

    /// The points of a user that wait.
    UserPending of USERS / 1, read {
        id: UserId, pending as "pending_points": Option<Points>,
    }

    /// Whose points end next.
    UserExpiry of USERS / 1, read {
        id: UserId, next_expiry_on: Option<Day>,
    }

    /// What campaigns ask of a user.
    MemberProfile of USERS / 0, both {
        birth_date: Option<Day>, birth_date_set_at: Option<Timestamp>, locale: Option<Locale>,
        created_at: Timestamp,
    }

    /// The virtual clock of a tenant.
    TenantClock of TENANTS / 0, both {
        offset as "clock_offset": ClockOffset,
    }

    ProductRow of PRODUCTS / 1, both {
        product: Product, version: u64, retired_at: Option<Timestamp>, reserved: u64,
        stock_supplied: i64,
    }

    /// The columns of a product that an order needs.
    ProductOffer of PRODUCTS / 1, both {
        id: ProductId, sku: String, title: String, regular_price: Price, sale_price: Option<Price>,
        stock: Option<u32>, popular: bool, published_at: Timestamp, active: bool,
        retired_at: Option<Timestamp>,
        /// Pieces in placed orders.
        reserved: i64,
        /// The version of the catalogue at the last change of the product that customers may see.
        version: u64,
        /// The stock and the pieces that orders took of it and did not return. An unlimited stock counts as 0.
        stock_supplied: i64,
    }

    /// The counts of a product. They may be invalid.
    StockRow of PRODUCTS / 1, read {
        id: ProductId, stock: Option<i64>, stock_supplied: i64, reserved: i64,
    }

    /// The pieces of an order. All columns but the key may be invalid.
    OrderedPieces of ORDERS / 1, read {
        id: OrderId, product_id: String, quantity: i64, takes_stock: bool, status: String,
    }

    /// A complete ledger row.
    LedgerEntry of TRANSACTIONS / 2, both {
        user_id: UserId,
        /// The number of the row among the user's rows, in order of recording, from 1.
        seq: u64,
        transaction: Transaction, balance_after: Points, recorded_at: Timestamp, hash: ChainHash,
        /// What it moved in the lots of the user. `None` when there were none.
        moves: Option<Moves>,
    }

    /// A ledger row under its business key, which is used once for ever.
    EntryRow of TRANSACTIONS / 3, both {
        user_id: UserId, kind as "type": ActivityType, source_id: SourceId, seq: u64, created_at: Timestamp,
        id: TransactionId, points: Points, bonuses as "bonus_breakdown": Bonuses, bonus_points: Points,
        title: String, subtitle: String, attributes: Attributes, bonus_origin: BonusOrigin,
        balance_after: Points, recorded_at: Timestamp, hash: ChainHash, moves: Option<Moves>,
    }

    /// The kept response of an idempotency key.
    KeptRequest<'k> of REQUEST_KEYS / 2, write {
        principal: &'k str, key: &'k str, fingerprint: &'k [u8; 32], answer: &'k [u8],
        created_at: Timestamp, last_used_at: Timestamp,
    }

    /// The part of a [`MemberRow`] that segments need.
    MemberActivity of MEMBER_FIGURES / 1, read {
        user_id: UserId, earned_points: i64, spent_points: i64, expired_points: i64, day_count: i64,
        last_day: Option<Day>,
    }

    /// The part of a [`MemberRow`] that says when a user did what.
    MemberDays of MEMBER_FIGURES / 1, read {
        user_id: UserId, days: Vec<u8>,
    }

    /// Identifies one background job.
    #[derive(Hash, PartialOrd, Ord)]
    JobId of JOBS / 3, read {
        tenant as "tenant_id": TenantId,
        /// The kind of job.
        name: String,
        /// Distinguishes one-time jobs of the same kind. Recurring jobs have an empty key.
        key: String,
    }
}

/// Declares the columns of a [`HistoryLine`] with one of two string types.
macro_rules! history_line {
    ($($(#[$doc:meta])* $name:ident: $text:ty;)*) => {
        rows! { $($(#[$doc])* $name<'r> of TRANSACTIONS / 1, read {
            id: &'r [u8], created_at: Timestamp, kind as "type": $text, source_id: ColumnAt, points: Points,
            bonuses as "bonus_breakdown": Bonuses, title: $text, subtitle: $text,
        })* }
    };
}

history_line! {
    /// The columns of a ledger row that a page of a history shows.
    HistoryLine: &'r str;
    /// A [`HistoryLine`] with raw strings, whose UTF-8 is checked after all rows are read.
    RawHistoryLine: RawText<'r>;
}

impl AccountState {
    /// The state before the first ledger row.
    pub const NEW: Self = Self {
        balance: Points::ZERO,
        day_count: 0,
        last_seq: 0,
        last_hash: CHAIN_START,
        earned: EarnedCounts::NONE,
        lots: None,
        pending: None,
    };
}

impl From<Lots> for KeptLots {
    fn from(lots: Lots) -> Self {
        let next_expiry_on = lots.next_last_day();
        Self { lots, next_expiry_on }
    }
}

impl From<User> for UserRow {
    /// Starts with an empty ledger.
    fn from(user: User) -> Self {
        let User {
            id,
            balance: _,
            birth_date,
            birth_date_set_at,
            locale,
            disabled_at,
            created_at,
            lots: _,
            pending: _,
        } = user;
        let profile = MemberProfile { birth_date, birth_date_set_at, locale, created_at };
        Self { id, state: AccountState::NEW, profile, disabled_at }
    }
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        let UserRow { id, state, profile, disabled_at } = row;
        let MemberProfile { birth_date, birth_date_set_at, locale, created_at } = profile;
        let (balance, lots, pending) = (state.balance, state.lots.map(|kept| kept.lots), state.pending);
        Self { id, balance, birth_date, birth_date_set_at, locale, disabled_at, created_at, lots, pending }
    }
}

impl EntryRow {
    pub fn transaction(&self) -> Transaction {
        let Self { kind, source_id, created_at, id, points, bonuses, title, subtitle, attributes, .. } =
            self.clone();
        let activity = Activity { created_at, kind, source_id, points, bonuses, title, subtitle, attributes };
        Transaction { id, activity, bonus_origin: self.bonus_origin }
    }
}

/// The text of a tenant without a tree.
pub const NO_CATEGORIES: &str = "[]";

/// A tree as text: a JSON array of `[id, label, id of the parent or null]`, each parent before its children. Equal trees have equal
/// texts.
pub fn tree_text(tree: &CategoryTree) -> String {
    let mut entries = Vec::new();
    tree.visit(&mut |category, parent, _| {
        entries.push((
            category.id.as_str(),
            category.label.as_str(),
            parent.map(|parent| parent.id.as_str()),
        ));
    });
    // Strings always serialise.
    serde_json::to_string(&entries).unwrap_or_default()
}

/// The tree of a text. Siblings stand in the order of the text.
///
/// # Errors
/// Lists all reasons why the text is not a tree.
pub fn tree_of(text: &str) -> Result<CategoryTree, Corrupt> {
    let wrong = |why: String| Corrupt::wrong("category_trees", "", why);
    let entries: Vec<(String, String, Option<String>)> =
        serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let id = |text: String| CategoryId::new(text).map_err(|error| wrong(error.to_string()));
    let entries = entries.into_iter().map(|(own, label, parent)| {
        let parent = parent.map(id).transpose()?.map_or(EntryParent::None, EntryParent::Named);
        Ok(CategoryEntry { id: id(own)?, label, parent })
    });
    CategoryTree::from_entries(entries.collect::<Result<_, Corrupt>>()?).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        wrong(errors.join(", "))
    })
}

impl JobId {
    /// The id of the recurring job of this kind for a tenant.
    pub fn recurring(tenant: &TenantId, name: &str) -> Self {
        Self { tenant: tenant.clone(), name: name.to_owned(), key: String::new() }
    }
}

const CUSTOMER: &str = "customer";
const SUPER_USER: &str = "super_user";

impl Columns for TokenKind {
    const WIDTH: usize = 2;

    fn columns(_: &'static str, columns: &mut Vec<Column>) {
        columns.extend(["user_id", "kind"].map(|name| Column { name, kind: Kind::Text }));
    }
}

impl<'r> Read<'r> for TokenKind {
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        let (user, kind) = <(Option<UserId>, &str)>::read(row, at)?;
        match (kind, user) {
            (CUSTOMER, Some(user)) => Ok(Self::Customer(user)),
            (SUPER_USER, None) => Ok(Self::SuperUser),
            _ => Err(row.corrupt(at + Self::WIDTH - 1, "does not match the user_id")),
        }
    }
}

impl Write for TokenKind {
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
        let name = match self {
            Self::Customer(_) => CUSTOMER,
            Self::SuperUser => SUPER_USER,
        };
        cells.push(self.user().map_or(CellRef::Null, |user| CellRef::Text(user.as_str().into())));
        cells.push(CellRef::Text(name.into()));
    }
}
