//! In which columns the types of the domain stand, table by table, and the parts of tables that statements read or write.

#[cfg(test)]
mod tests;

use pointbook_domain::category::{CategoryEntry, EntryParent};
use pointbook_domain::ledger::{CHAIN_START, ChainHash};
use pointbook_domain::{
    Activity, ActivityType, BaseUrl, Bonuses, CategoryId, CategoryTree, Day, Environment, Locale, Networks,
    Order, OrderId, OrderStatus, OrderedProduct, Points, Price, Product, ProductId, Quantity, Scopes, Slug,
    SourceId, Tenant, TenantId, TenantSettings, Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord,
    Transaction, TransactionId, User, UserId,
};

use crate::{CellRef, Column, ColumnAt, Columns, Corrupt, Kind, RawText, Read, Record, Source, Write};

columns! {
    Tenant of TENANTS / 1, read {
        id: TenantId, slug: Slug, environment: Environment, base_url: BaseUrl, name: String,
        locale: Locale, settings: TenantSettings, created_at: Timestamp,
    }

    User of USERS / 1, both {
        id: UserId, balance: Points, birth_date: Option<Day>, locale: Option<Locale>,
        disabled_at: Option<Timestamp>, created_at: Timestamp,
    }

    Product of PRODUCTS / 1, both {
        id: ProductId, sku: String, title: String, description: String, description_source: String,
        regular_price: Price, sale_price: Option<Price>, thumbnail: String, gallery: Vec<String>,
        categories: Vec<CategoryId>, stock: Option<u32>, popular: bool, published_at: Timestamp,
        active: bool,
    }

    Transaction of TRANSACTIONS / 1, both {
        id: TransactionId, activity: Activity,
    }

    Activity of TRANSACTIONS / 0, both {
        created_at: Timestamp, kind as "type": ActivityType, source_id: SourceId, points: Points,
        bonuses as "bonus_breakdown": Bonuses, title: String, subtitle: String,
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

    // The user comes first: a hash in an error is as good as a password to a reader of the log.
    TokenRecord of TOKENS / 1, both {
        kind: TokenKind, created_at: Timestamp, expires_at: Option<Timestamp>,
        revoked_at: Option<Timestamp>, label: Option<TokenLabel>, scopes: Option<Scopes>, networks: Networks,
        created_by: Option<String>, last_used_at: Option<Timestamp>, hash: TokenHash,
    }
}

rows! {
    /// A tenant without its id, which every insert takes first.
    NewTenant<'t> of TENANTS / 0, write {
        slug: &'t Slug, environment: Environment, base_url: &'t BaseUrl, name: &'t str,
        locale: &'t Locale, settings: &'t TenantSettings, created_at: Timestamp,
    }

    /// What a user's row says of the user's history: the sum of all rows, the days with rows, `seq` and hash of the newest.
    AccountState of USERS / 0, both {
        balance: Points, day_count: u64, last_seq: u64, last_hash: ChainHash,
    }

    UserAccount of USERS / 1, read {
        id: UserId, state: AccountState,
    }

    /// A user who is added.
    NewUser<'u> of USERS / 1, write {
        id: &'u UserId, state: &'u AccountState, birth_date: Option<Day>, locale: Option<&'u Locale>,
        disabled_at: Option<Timestamp>, created_at: Timestamp,
    }

    /// A category, as the tree is read.
    CategoryRow of CATEGORIES / 1, read {
        id: CategoryId, parent_id: Option<CategoryId>, label: String,
    }

    /// A category at its place among its siblings.
    NewCategory<'c> of CATEGORIES / 1, write {
        id: &'c CategoryId, parent_id: Option<&'c CategoryId>, position: i64, label: &'c str,
    }

    ProductRow of PRODUCTS / 1, both {
        product: Product, version: u64, retired_at: Option<Timestamp>, reserved: u64,
        stock_supplied: Option<i64>,
    }

    /// A product that is created or replaced. Its reserved pieces are the business of orders alone.
    NewProduct<'p> of PRODUCTS / 1, write {
        product: &'p Product, version: i64, retired_at: Option<Timestamp>, stock_supplied: Option<i64>,
    }

    /// What an order needs of a product.
    ProductOffer of PRODUCTS / 1, read {
        id: ProductId, sku: String, title: String, regular_price: Price, sale_price: Option<Price>,
        stock: Option<u32>, popular: bool, published_at: Timestamp, active: bool,
        retired_at: Option<Timestamp>, reserved: i64, version: u64,
    }

    /// What is stored of a product's stock, beside what its orders come to: pieces in placed orders, and pieces that orders
    /// took out of stock and did not give back.
    StockCount of PRODUCTS / 1, read {
        product_id as "id": ProductId, stock: Option<i64>, supplied as "stock_supplied": Option<i64>,
        reserved: i64, placed_pieces: i64, taken_pieces: i64,
    }

    /// A row of the ledger in full.
    LedgerEntry of TRANSACTIONS / 2, both {
        user_id: UserId,
        /// Its place among the user's rows, in order of recording, from 1.
        seq: u64,
        transaction: Transaction, balance_after: Points, recorded_at: Timestamp, hash: ChainHash,
    }

    /// A row that is added to the ledger.
    NewLedgerRow<'e> of TRANSACTIONS / 2, write {
        user_id: &'e UserId, seq: u64, transaction: &'e Transaction, bonus_points: Points,
        balance_after: Points, recorded_at: Timestamp, hash: &'e ChainHash,
    }

    /// A day of a user's history. Its rows are counted, so that the size of a page is known before it is read.
    HistoryDay of HISTORY_DAYS / 2, both {
        user_id: UserId, day: Day, transaction_count: u64,
    }

    /// The response to a request, under its key.
    KeptRequest<'k> of REQUEST_KEYS / 2, write {
        principal: &'k str, key: &'k str, fingerprint: &'k [u8; 32], answer: &'k [u8],
        created_at: Timestamp, last_used_at: Timestamp,
    }

    /// A secret that keys are derived from.
    NewSecret<'s> of TENANT_SECRETS / 1, write {
        name: &'s str, value: &'s [u8; 32], created_at: Timestamp,
    }

    /// Names one piece of background work.
    #[derive(Hash, PartialOrd, Ord)]
    JobId of JOBS / 3, read {
        tenant as "tenant_id": TenantId,
        /// The kind of work.
        name: String,
        /// Tells pieces of one-time work of the same kind apart. Recurring work has an empty key.
        key: String,
    }

    /// The right to run a job until an instant. It ends by itself when its owner does not end it first.
    Lease of JOBS / 0, read {
        /// The process that runs the job.
        owner as "lease_owner": String,
        /// When another process may run the job.
        ends_at as "lease_ends_at": Timestamp,
    }

    StoredJob of JOBS / 3, read {
        id: JobId,
        /// When it is due. While a process runs the job, the end of the lease, unless the job was scheduled anew.
        next_run_at: Timestamp,
        /// How many runs began since the last one that succeeded, the present one included.
        attempts: u32,
        /// Who runs it; also a lease that has ended, of a process that was killed.
        lease: Option<Lease>,
        /// Why the last run failed; `None` after one that succeeded.
        last_error: Option<String>,
        /// The end of the last run that succeeded.
        last_success_at: Option<Timestamp>,
    }

    /// A token whose owner is known.
    HeldToken of TOKENS / 1, read {
        user_id: ColumnAt, hash: TokenHash, expires_at: Option<Timestamp>,
    }
}

/// The columns of a [`HistoryLine`], with texts as a store takes them from its rows.
macro_rules! history_line {
    ($($(#[$doc:meta])* $name:ident: $text:ty;)*) => {
        rows! { $($(#[$doc])* $name<'r> of TRANSACTIONS / 1, read {
            id: ColumnAt, created_at: Timestamp, kind as "type": $text, source_id: ColumnAt, points: Points,
            bonuses as "bonus_breakdown": Bonuses, title: $text, subtitle: $text,
        })* }
    };
}

history_line! {
    /// What a page of a history shows of a row.
    HistoryLine: &'r str;
    /// The same, with texts that are checked when all rows are read.
    RawHistoryLine: RawText<'r>;
}

impl AccountState {
    /// Before the first row.
    pub const NEW: Self = Self { balance: Points::ZERO, day_count: 0, last_seq: 0, last_hash: CHAIN_START };
}

impl<'u> From<&'u User> for NewUser<'u> {
    /// Without a history.
    fn from(user: &'u User) -> Self {
        let User { id, balance: _, birth_date, locale, disabled_at, created_at } = user;
        let (birth_date, disabled_at, created_at) = (*birth_date, *disabled_at, *created_at);
        Self { id, state: &AccountState::NEW, birth_date, locale: locale.as_ref(), disabled_at, created_at }
    }
}

/// The tree of these categories, siblings in their order.
///
/// # Errors
/// All that keeps them from being a tree.
pub fn category_tree(tenant: &str, rows: Vec<CategoryRow>) -> Result<CategoryTree, Corrupt> {
    let entry = |CategoryRow { id, parent_id, label }| {
        let parent = parent_id.map_or(EntryParent::None, EntryParent::Named);
        CategoryEntry { id, label, parent }
    };
    CategoryTree::from_entries(rows.into_iter().map(entry).collect()).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Corrupt::wrong("categories", tenant, errors.join(", "))
    })
}

/// Every category of a tree with its parent and its place.
pub fn new_categories(tree: &CategoryTree) -> Vec<NewCategory<'_>> {
    let mut rows = Vec::new();
    tree.visit(&mut |category, parent, position| {
        let (id, label) = (&category.id, category.label.as_str());
        let parent_id = parent.map(|parent| &parent.id);
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        rows.push(NewCategory { id, parent_id, position, label });
    });
    rows
}

impl JobId {
    /// The recurring work of this kind of a tenant.
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
    fn read<S: Source>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        let (user, kind) = <(Option<UserId>, &str)>::read(row, at)?;
        match (kind, user) {
            (CUSTOMER, Some(user)) => Ok(Self::Customer(user)),
            (SUPER_USER, None) => Ok(Self::SuperUser),
            _ => Err(row.corrupt(at + Self::WIDTH - 1, "does not go with the user")),
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
