//! Imports products: each row creates or replaces a product by id. With `--replace`, the import retires every product
//! that is not in the file.

use std::collections::HashSet;
use std::hash::Hash;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_catalogue::html::{MAX_HTML_ATTRIBUTES, MAX_HTML_DEPTH, is_too_complex};
use pointbook_catalogue::products::draft::{ProductDraft, ProductPatchDraft, first_repeated};
use pointbook_catalogue::products::import::{import_products, try_products};
use pointbook_domain::product::{MAX_BRAND_CHARS, is_sale_above};
use pointbook_domain::web_url::is_web_url;
use pointbook_domain::{CategoryId, CategoryTree, FieldChange, Price, ProductId, ProductPatch, Timestamp};
use pointbook_store::limits::{
    MAX_DESCRIPTION_CHARS, MAX_GALLERY_URLS, MAX_PRODUCT_CATEGORIES, MAX_TITLE_CHARS, MAX_URL_CHARS,
};
use pointbook_store::ports::{CatalogueVersion, ProductChange, UpsertOutcome};
use pointbook_store::{Context, StoreResult};

use super::cell::Cell;
use super::dry_run::{Tried, TriedRows};
use super::fields::Fields;
use super::kind::{Columns, RowKind, RowOutcome, Target};
use super::problems::{Problems, quoted};
use super::summary::UnknownCategories;
use super::{Ending, Kind, Retirement, Rule, Stop, Summary};

/// The columns of products, in the order of an export.
pub const PRODUCT_COLUMNS: [&str; 14] = [
    "id",
    "sku",
    "title",
    "brand",
    "description",
    "regular_price",
    "sale_price",
    "thumbnail",
    "gallery",
    "categories",
    "stock",
    "popular",
    "published_at",
    "active",
];

/// How many stored products are read, and retired where needed, in one commit.
const RETIRE_PAGE: u32 = 1_000;

pub(super) struct Products {
    /// The ids in the file; `None` without `--replace`.
    kept: Option<HashSet<ProductId>>,
    /// `None` unless the import only tries the rows.
    tried: Option<TriedRows<ProductDraft>>,
    /// The categories of the tree; loaded when the first product names one.
    known: Option<HashSet<CategoryId>>,
    pub(super) unknown: UnknownCategories,
}

impl Products {
    pub(super) fn new(replace: bool, is_dry: bool) -> Self {
        let (kept, tried) = (replace.then(HashSet::new), is_dry.then(TriedRows::default));
        Self { kept, tried, known: None, unknown: UnknownCategories::default() }
    }

    /// Notes the categories that products name and that are not in the tree. The tree is read once per import.
    async fn note_unknown(&mut self, target: Target<'_>, items: &[ProductDraft]) -> StoreResult<()> {
        if items.iter().all(|draft| draft.categories().is_empty()) {
            return Ok(());
        }
        let known = match &mut self.known {
            Some(known) => known,
            unread => unread.insert(ids_of(&target.tenant.data.categories().await?)),
        };
        self.unknown.note(items, known);
        Ok(())
    }

    /// Retires every product that is not in the file. Call it only when every row was valid, otherwise it retires the
    /// product of a rejected row.
    pub(super) async fn retire_missing(&self, target: Target<'_>, stop: &mut Stop, summary: &mut Summary) {
        let (mut after, mut retired) = (None, 0);
        summary.ending = loop {
            tokio::select! {
                biased;
                () = &mut *stop => break Ending::Interrupted,
                () = std::future::ready(()) => {}
            }
            match self.retire_page(target, after.as_ref(), &mut retired).await {
                Ok(None) => break Ending::Complete,
                Ok(last) => after = last,
                Err(error) => break Ending::StoreFailed(error),
            }
        };
        summary.retirement = Retirement::Retired(retired);
    }

    /// Reads one page of products and retires those that are not in the file. Returns the last id of the page.
    async fn retire_page(
        &self,
        target: Target<'_>,
        after: Option<&ProductId>,
        retired: &mut u64,
    ) -> StoreResult<Option<ProductId>> {
        let (Some(kept), data) = (&self.kept, &target.tenant.data) else { return Ok(None) };
        let page = data.product_changes(CatalogueVersion::default(), after, RETIRE_PAGE).await?;
        let missing = page.iter().map(ProductChange::id).filter(|id| !kept.contains(*id));
        let ids: Vec<_> = missing.cloned().collect();
        if !ids.is_empty() {
            let context: Context = target.context();
            *retired += context.write(RetireProducts { ids, at: context.now }).await?;
        }
        Ok(page.last().map(|last| last.id().clone()))
    }
}

impl Tried for ProductDraft {
    fn key(&self) -> impl Hash {
        &self.id
    }

    /// A field that the row leaves out is the same as its default.
    fn content(&self) -> impl Hash {
        let ProductPatchDraft { description, others } = self.fields();
        let ProductPatch { sku, title, brand, description: _, regular_price, sale_price, .. } = others;
        let ProductPatch { thumbnail, gallery, categories, stock, popular, published_at, active, .. } =
            others;
        let texts = (sku, title, brand, description.as_deref().unwrap_or_default());
        let prices = (regular_price, sale_price, stock);
        let shown = (
            thumbnail.as_deref().unwrap_or_default(),
            gallery.as_deref().unwrap_or_default(),
            categories.as_deref().unwrap_or_default(),
        );
        (texts, prices, shown, popular.unwrap_or(false), published_at, active.unwrap_or(true))
    }

    fn after(&self, is_same: bool) -> RowOutcome {
        Ok(if is_same { UpsertOutcome::Unchanged } else { UpsertOutcome::Replaced })
    }
}

impl RowKind for Products {
    type Item = ProductDraft;

    const KIND: Kind = Kind::Products;
    const COLUMNS: Columns =
        Columns { known: &PRODUCT_COLUMNS, required: &["sku", "title", "regular_price"] };
    /// Without `stock` and `published_at`, what is stored stays.
    const CLEARED_WITHOUT_COLUMN: &'static [&'static str] =
        &["description", "sale_price", "thumbnail", "gallery", "categories", "popular", "brand"];
    const ACTIVE_WITHOUT_COLUMN: Option<&'static str> = Some("active");
    const BATCH_ROWS: usize = 1_000;

    fn check(mut fields: Fields<'_>, _: Timestamp) -> Result<ProductDraft, Problems> {
        let own_id = fields.optional("id", |cell| cell.new_id(ProductId::new));
        let sku = fields.required("sku", |cell| cell.visible(MAX_TITLE_CHARS));
        // Without an id, the SKU is the id. A problem with the SKU is then reported only once.
        let is_own = fields.cell("id").is_some() || sku.is_none();
        let id = if is_own { own_id } else { fields.optional("sku", |cell| cell.parse(ProductId::new)) };
        let title = fields.required("title", |cell| cell.title(MAX_TITLE_CHARS));
        let brand = fields.optional("brand", |cell| cell.line(MAX_BRAND_CHARS));
        let brand = brand.filter(|brand| !brand.trim().is_empty());
        let description = fields.optional("description", read_description);
        let regular_price = fields.required("regular_price", |cell| cell.integer(Price::new));
        let sale_price = fields.optional("sale_price", |cell| cell.integer(Price::new));
        if is_sale_above(regular_price, sale_price) {
            fields.add("sale_price", Rule::AboveRegular);
        }
        let others = ProductPatch {
            sku,
            title,
            brand: FieldChange::Set(brand),
            description: None,
            regular_price,
            sale_price: FieldChange::Set(sale_price),
            thumbnail: fields.optional("thumbnail", read_thumbnail),
            gallery: fields.optional("gallery", |cell| {
                cell.list(MAX_GALLERY_URLS, |cell| cell.title(MAX_URL_CHARS).and_then(web_url))
            }),
            categories: fields.optional("categories", read_categories),
            stock: read_stock(&mut fields),
            popular: fields.optional("popular", Cell::boolean),
            published_at: fields.optional("published_at", Cell::timestamp),
            active: fields.optional("active", Cell::boolean),
        };
        fields.finish(|| ProductDraft::new(id?, ProductPatchDraft { description, others }))
    }

    async fn store(&mut self, target: Target<'_>, items: Vec<ProductDraft>) -> StoreResult<Vec<RowOutcome>> {
        if let Some(kept) = &mut self.kept {
            kept.extend(items.iter().map(|draft| draft.id.clone()));
        }
        self.note_unknown(target, &items).await?;
        if let Some(tried) = &mut self.tried {
            let (known, new) = tried.split(items);
            let outcomes = try_products(&target.context::<()>(), new.clone(), ()).await?;
            return Ok(tried.join(known, &new, outcomes.into_iter().map(Ok)));
        }
        let outcomes = import_products(&target.context(), items).await?;
        Ok(outcomes.into_iter().map(Ok).collect())
    }
}

fn ids_of(tree: &CategoryTree) -> HashSet<CategoryId> {
    let mut ids = HashSet::new();
    tree.visit(&mut |category, _, _| {
        ids.insert(category.id.clone());
    });
    ids
}

fn read_description(cell: Cell<'_>) -> Result<String, Rule> {
    let html = cell.text(MAX_DESCRIPTION_CHARS)?;
    if is_too_complex(&html) {
        return Err(Rule::TooComplex { levels: MAX_HTML_DEPTH, attributes: MAX_HTML_ATTRIBUTES });
    }
    Ok(html)
}

fn read_thumbnail(cell: Cell<'_>) -> Result<String, Rule> {
    let url = cell.text(MAX_URL_CHARS)?;
    if url.is_empty() { Ok(url) } else { web_url(url) }
}

fn web_url(url: String) -> Result<String, Rule> {
    if is_web_url(&url) { Ok(url) } else { Err(Rule::NotAUrl) }
}

fn read_categories(cell: Cell<'_>) -> Result<Vec<CategoryId>, Problems> {
    let categories = cell.list(MAX_PRODUCT_CATEGORIES, |cell| cell.parse(CategoryId::new))?;
    match first_repeated(&categories).and_then(|index| categories.get(index)) {
        Some(repeated) => Err(Rule::ItemTwice { name: quoted(repeated.as_str()) }.into()),
        None => Ok(categories),
    }
}

/// A file without a stock keeps the stored stock. An empty stock means unlimited, as in an export.
fn read_stock(fields: &mut Fields<'_>) -> FieldChange<u32> {
    if !fields.contains("stock") {
        return FieldChange::Keep;
    }
    FieldChange::Set(fields.optional("stock", |cell| cell.integer(pieces)))
}

fn pieces(number: i64) -> Result<u32, Rule> {
    u32::try_from(number).map_err(|_| Rule::OutOfRange { min: 0, max: u32::MAX.into() })
}
