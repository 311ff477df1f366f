//! What a button of the page of a product sends: every field of the page, so that the page that follows has what was typed into
//! it.

use http::StatusCode;
use pointbook_access::console_kit::visit::Visit;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};
use pointbook_store::ports::StoredProduct;

use super::editor::{Draft, show_stored};
use super::fields::{Seen, Texts};
use super::form::TEXTS;
use super::found::{find, path};
use super::pictures::Place;
use super::stock_forms::StockForms;
use super::typed::Typed;
use crate::categories::console::choice::SEARCH;
use crate::pictures::console::upload::{chosen_name, not_uploaded};

/// The fields of the page.
pub(super) struct Sent {
    pub(super) typed: Typed,
    pub(super) stock: StockForms,
    /// The name of a file that was chosen, when the browser sent the name alone.
    pub(super) file: Option<String>,
    /// Where the product shall show the next picture.
    pub(super) place: Option<Place>,
    /// What was typed to find a category.
    pub(super) search: String,
}

/// What was typed to find a category.
pub(super) fn category_search(form: &Form) -> String {
    form.optional(SEARCH).unwrap_or_default().to_owned()
}

impl Sent {
    /// # Errors
    /// [`PageError::BadRequest`] for a form that no page of this server made, and 413 for too long texts beside a file.
    pub(super) fn read(form: &Form) -> Result<Self, PageError> {
        form.check_fields(TEXTS)?;
        let seen = Seen::read(form.field("seen")?).ok_or(PageError::BadRequest)?;
        let typed = Typed { texts: Texts::of_form(form), seen };
        let (stock, place, search) = (StockForms::of(form), Place::chosen(form), category_search(form));
        Ok(Self { typed, stock, file: chosen_name(form), place, search })
    }

    /// The page with what was typed. No page can keep a chosen file, so it asks for the file again.
    pub(super) fn draft(self) -> Draft {
        let Typed { texts, seen } = self.typed;
        let refusals = self.file.map(not_uploaded).into_iter().collect();
        let Self { stock, place, search, .. } = self;
        Draft { seen: Some(seen), stock, refusals, place, search, ..Draft::of(texts) }
    }

    /// The page after a button did its work. When nothing else was typed, the browser gets it by GET.
    pub(super) async fn done(
        self,
        visit: &Visit<'_>,
        stored: &StoredProduct,
        said: &'static str,
    ) -> Result<Response, PageError> {
        let is_saved = self.typed.texts == Texts::of_product(&stored.product, &visit.served.zone());
        if is_saved && !self.stock.is_typed() && self.file.is_none() {
            return Ok(see_other(&path(visit, &stored.product.id, &format!("?said={said}"))));
        }
        show_stored(visit, stored, &Draft { said: Some(said), ..self.draft() }).await
    }

    /// The page after a button that could not do its work with the stock.
    pub(super) async fn refused(self, visit: &Visit<'_>) -> Result<Response, PageError> {
        let stored = find(visit).await?;
        let typed = self.typed.beside(&Texts::of_product(&stored.product, &visit.served.zone()));
        let draft = Draft { code: StatusCode::UNPROCESSABLE_ENTITY, ..Self { typed, ..self }.draft() };
        show_stored(visit, &stored, &draft).await
    }
}
