//! Finds what a text may name.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::clipped;
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::{
    Order, OrderId, PageNumber, PageRequest, PageSize, ProductId, Scope, SourceId, User, UserId,
};
use pointbook_http::pages::{PageError, points, visible};
use pointbook_points::members::read;
use pointbook_store::StoreResult;
use pointbook_store::ports::{StoredProduct, StoredProductFilter, UserFilter};

/// What the search finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Member,
    Activity,
    Order,
    Product,
}

/// What was found of one kind.
pub(super) struct Group {
    pub(super) kind: Kind,
    pub(super) hits: Vec<Hit>,
    /// The path of the whole list, when it has more.
    pub(super) all: Option<String>,
}

pub(super) struct Hit {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) more: String,
    /// Whether the text names exactly this.
    pub(super) is_exact: bool,
}

/// How many hits a group shows.
const HITS: u32 = 10;
const SHOWN_CHARS: usize = 100;
/// An id of a member may have spaces, so a text with several spaces may name several members.
const MAX_SPLITS: usize = 4;

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Member, Self::Activity, Self::Order, Self::Product];

    pub(super) fn scope(self) -> Scope {
        match self {
            Self::Member | Self::Activity => Scope::UsersRead,
            Self::Order => Scope::OrdersRead,
            Self::Product => Scope::ProductsRead,
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Member => "search-members",
            Self::Activity => "search-activities",
            Self::Order => "search-orders",
            Self::Product => "search-products",
        }
    }

    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Member => "search-hint-members",
            Self::Activity => "search-hint-activities",
            Self::Order => "search-hint-orders",
            Self::Product => "search-hint-products",
        }
    }

    pub(super) async fn find(self, visit: &Visit<'_>, text: &str) -> Result<Group, PageError> {
        let (hits, all) = match self {
            Self::Member => members(visit, text).await?,
            Self::Activity => (activities(visit, text).await?, None),
            Self::Order => (orders(visit, text).await?, None),
            Self::Product => products(visit, text).await?,
        };
        Ok(Group { kind: self, hits, all })
    }
}

fn first_page() -> PageRequest {
    PageRequest { number: PageNumber::FIRST, size: PageSize::new(HITS).unwrap_or(PageSize::DEFAULT) }
}

/// The list of a section with all hits, when there are more than those shown.
fn whole_list(visit: &Visit<'_>, section: &str, text: &str, total: u64) -> Option<String> {
    let path = || visit.path(&format!("{section}?search={}", segment(text)));
    (total > u64::from(HITS)).then(path)
}

/// The member with this id, and those whose id contains the text.
async fn members(visit: &Visit<'_>, text: &str) -> StoreResult<(Vec<Hit>, Option<String>)> {
    let Ok(id) = UserId::new(text) else { return Ok((Vec::new(), None)) };
    let exact = read::member(&visit.served, &id, visit.now).await?;
    let filter = UserFilter { search: Some(text.to_owned()), disabled: None };
    let found = read::members(&visit.served, &filter, first_page(), visit.now).await?;
    let others = found.items.into_iter().filter(|user| user.id != id);
    let hits = exact.into_iter().chain(others).map(|user| member(visit, &user, user.id == id)).collect();
    Ok((hits, whole_list(visit, "/members", text, found.total)))
}

fn member(visit: &Visit<'_>, user: &User, is_exact: bool) -> Hit {
    let id = user.id.as_str();
    Hit {
        path: visit.path(&format!("/members/{}", segment(id))),
        title: visible(id).into_owned(),
        more: points(user.balance.get(), visit.words),
        is_exact,
    }
}

/// The activities of a text with a member, a space and a source id. A ledger is ordered by member, so no source id is found without
/// the member.
async fn activities(visit: &Visit<'_>, text: &str) -> StoreResult<Vec<Hit>> {
    let mut hits = Vec::new();
    for (at, _) in text.match_indices(' ').take(MAX_SPLITS) {
        let (user, source) = text.split_at(at);
        let ids = UserId::new(user.trim()).ok().zip(SourceId::new(source.trim()).ok());
        let Some((user, source)) = ids else { continue };
        for entry in visit.served.data.entries_with_source(&user, &source, HITS).await? {
            let (user, row) = (segment(user.as_str()), segment(entry.transaction.id.as_str()));
            let activity = &entry.transaction.activity;
            hits.push(Hit {
                path: visit.path(&format!("/members/{user}/transactions/{row}")),
                title: format!("{} {}", visible(entry.user_id.as_str()), activity.source_id),
                more: format!("{} · {}", activity.kind, clipped(&activity.title, SHOWN_CHARS)),
                is_exact: true,
            });
        }
    }
    Ok(hits)
}

/// The order with this number or id.
async fn orders(visit: &Visit<'_>, text: &str) -> StoreResult<Vec<Hit>> {
    let data = &visit.served.data;
    let mut found = data.order_with_number(text).await?;
    if let (None, Ok(id)) = (&found, OrderId::new(text)) {
        found = data.order(&id).await?;
    }
    Ok(found.iter().map(|order| order_hit(visit, order)).collect())
}

fn order_hit(visit: &Visit<'_>, order: &Order) -> Hit {
    let Order { id, number, user_id, product, .. } = order;
    Hit {
        path: visit.path(&format!("/orders/{}", segment(id.as_str()))),
        title: number.clone(),
        more: format!("{} · {}", visible(user_id.as_str()), clipped(&product.title, SHOWN_CHARS)),
        is_exact: true,
    }
}

/// The products whose id, sku or title contains the text.
async fn products(visit: &Visit<'_>, text: &str) -> StoreResult<(Vec<Hit>, Option<String>)> {
    let found = visit.served.data.products(&StoredProductFilter::of_search(Some(text)), first_page()).await?;
    let mut hits: Vec<_> = found.items.iter().map(|product| product_hit(visit, product, text)).collect();
    if let (false, Ok(id)) = (hits.iter().any(|hit| hit.is_exact), ProductId::new(text))
        && let Some(product) = visit.served.data.product(&id).await?
    {
        hits.insert(0, product_hit(visit, &product, text));
    }
    Ok((hits, whole_list(visit, "/products", text, found.total)))
}

fn product_hit(visit: &Visit<'_>, stored: &StoredProduct, text: &str) -> Hit {
    let product = &stored.product;
    let (id, sku) = (product.id.as_str(), product.sku.as_str());
    Hit {
        path: visit.path(&format!("/products/{}", segment(id))),
        title: clipped(&product.title, SHOWN_CHARS).into_owned(),
        more: format!("{sku} · {}", points(product.effective_price().get(), visit.words)),
        is_exact: id == text || sku == text,
    }
}
