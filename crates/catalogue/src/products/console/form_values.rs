//! What an operator typed into the form of a product, beside what a button changed of the product meanwhile. A button of the page sends
//! every field of the page, so that the page that follows has what was typed into it.

use http::StatusCode;
use pointbook_access::console_kit::Visit;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};
use pointbook_store::ports::StoredProduct;

use super::editor::{Draft, find, path, show_stored};
use super::form::{Field, Fingerprints, TEXTS, Texts};
use super::picture_steps::{PictureStep, Pictures};
use super::pictures::PictureField;
use super::save::merge;
use super::stock::StockForms;
use crate::categories::console::choice::SEARCH;
use crate::pictures::upload::{chosen_name, not_uploaded};

/// The form as the browser sent it.
pub(super) struct Typed {
    pub(super) texts: Texts,
    /// What the form showed at first.
    pub(super) seen: Fingerprints,
}

const PICTURES: [Field; 2] = [Field::Thumbnail, Field::Gallery];

impl Typed {
    fn is_mine(&self, field: Field) -> bool {
        self.seen.is_changed(field, &self.texts)
    }

    /// Whether the operator typed addresses of pictures.
    pub(super) fn has_pictures(&self) -> bool {
        PICTURES.into_iter().any(|field| self.is_mine(field))
    }

    /// Whether the operator typed an address of the main picture.
    pub(super) fn has_main(&self) -> bool {
        self.is_mine(Field::Thumbnail) && !self.texts.get(Field::Thumbnail).is_empty()
    }

    /// Whether another person changed what the step needs since the page was made.
    pub(super) fn is_late(&self, step: &PictureStep, stored: &Texts) -> bool {
        Field::ALL.into_iter().any(|field| step.needs(field) && self.seen.is_changed(field, stored))
    }

    /// The form after the step, which was taken from `before` to `after`. The lists that the operator typed take the step, too. Where
    /// it does not fit them, saving the form shows the stored list beside the typed one.
    pub(super) fn after(self, step: &PictureStep, before: &Texts, after: &Texts) -> Self {
        let typed = Pictures::of_texts(&Texts::chosen(&self.texts, before, |field| self.is_mine(field)));
        let stepped = step.applied_to_typed(&typed).filter(|_| self.has_pictures());
        // What another person changed besides is still to be shown as a conflict.
        let is_settled = |field: &Field| stepped.is_some() && !self.seen.is_changed(*field, before);
        let Self { texts, seen } =
            self.over(after, &PICTURES.into_iter().filter(is_settled).collect::<Vec<_>>());
        let texts = match stepped {
            Some(pictures) => pictures.in_texts(&texts),
            None => texts,
        };
        Self { texts, seen }
    }

    /// The form after a refused step, and what another person saved in lists that this operator typed. The page of a late step shows both,
    /// and the pictures as they are now, so neither the next step nor the next save asks about them.
    pub(super) fn refused(self, stored: &Texts, is_late: bool) -> (Self, Vec<(Field, String)>) {
        if !is_late {
            return (self.over(stored, &[]), Vec::new());
        }
        let conflicts = merge(&self.seen, &self.texts, stored).conflicts;
        let theirs = conflicts.into_iter().filter(|(field, _)| PICTURES.contains(field)).collect();
        (self.over(stored, &PICTURES), theirs)
    }

    /// The form after another button changed the product besides.
    pub(super) fn beside(&self, stored: &Texts) -> Self {
        self.over(stored, &[])
    }

    /// The form over a product that is stored now: fields that the operator did not touch are those of the product. Fields that are
    /// `settled` count as seen, so saving the form does not ask about them.
    fn over(&self, stored: &Texts, settled: &[Field]) -> Self {
        let is_mine = |field| self.is_mine(field);
        let texts = Texts::chosen(&self.texts, stored, is_mine);
        let untouched = Field::ALL.into_iter().filter(|field| !is_mine(*field) || settled.contains(field));
        let seen = untouched.fold(self.seen.clone(), |seen, field| seen.with(field, stored));
        Self { texts, seen }
    }
}

/// The fields of the page.
pub(super) struct Sent {
    pub(super) typed: Typed,
    pub(super) stock: StockForms,
    /// The name of a file that was chosen, when the browser sent the name alone.
    pub(super) file: Option<String>,
    /// Where the product shall show the next picture.
    pub(super) place: Option<PictureField>,
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
    pub(super) fn read(visit: &Visit<'_>, form: &Form) -> Result<Self, PageError> {
        form.check_fields(TEXTS)?;
        let seen = Fingerprints::read(form.field("seen")?).ok_or(PageError::BadRequest)?;
        let typed = Typed { texts: Texts::of_form(visit, form), seen };
        let (stock, place, search) =
            (StockForms::of(form), PictureField::chosen(form), category_search(form));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(title: &str, main: &str, gallery: &str) -> Texts {
        let texts = Texts::of_new().with(Field::Title, title);
        texts.with(Field::Thumbnail, main).with(Field::Gallery, &gallery.replace(' ', "\n"))
    }

    fn more(url: &str) -> PictureStep {
        PictureStep::More(url.to_owned())
    }

    fn typed(seen: &Texts, texts: Texts) -> Typed {
        Typed { texts, seen: Fingerprints::of(seen) }
    }

    #[test]
    fn typed_texts_stay_and_the_picture_is_beside_them() {
        let (before, after) = (texts("Mug", "m", "a b"), texts("Mug", "m", "a b x"));
        let Typed { texts: shown, seen } =
            typed(&before, texts("Cup", "m", "a b")).after(&more("x"), &before, &after);
        assert_eq!(shown, texts("Cup", "m", "a b x"));
        assert!(seen.is_changed(Field::Title, &shown) && !seen.is_changed(Field::Gallery, &shown));
        let Typed { texts: shown, seen } =
            typed(&before, texts("Mug", "m", "b a")).after(&more("x"), &before, &after);
        assert_eq!(shown, texts("Mug", "m", "b a x"), "the order that was typed stays");
        assert!(!seen.is_changed(Field::Gallery, &after), "the new picture is no conflict");
    }

    #[test]
    fn what_another_person_saved_is_shown_and_no_conflict_is_lost() {
        let (seen, before) = (texts("Mug", "m", "a"), texts("Pot", "m", "a c"));
        let after = texts("Pot", "m", "a c x");
        let untouched = typed(&seen, seen.clone()).after(&more("x"), &before, &after);
        assert_eq!(untouched.texts, after);
        let Typed { texts: shown, seen } =
            typed(&seen, texts("Cup", "m", "a b")).after(&more("x"), &before, &after);
        assert_eq!(shown, texts("Cup", "m", "a b x"));
        assert!(seen.is_changed(Field::Title, &after) && seen.is_changed(Field::Gallery, &after));
    }

    #[test]
    fn a_late_step_is_no_surprise_the_second_time() {
        let (seen, stored) = (texts("Mug", "m", "a"), texts("Mug", "n", "a"));
        let step = PictureStep::Main("x".to_owned());
        let late = typed(&seen, texts("Cup", "typed", "a"));
        assert!(late.is_late(&step, &stored));
        let (again, theirs) = late.refused(&stored, true);
        assert_eq!(theirs, [(Field::Thumbnail, "n".to_owned())]);
        assert_eq!(again.texts, texts("Cup", "typed", "a"));
        assert!(!again.is_late(&step, &stored) && !again.is_late(&more("x"), &stored));
    }

    #[test]
    fn a_refused_step_settles_no_list_that_it_does_not_show() {
        let (seen, stored) = (texts("Mug", "m", "a"), texts("Pot", "n", "b"));
        let mine = || typed(&seen, texts("Cup", "n", "c"));
        let (late, theirs) = mine().refused(&stored, true);
        assert_eq!(theirs, [(Field::Gallery, "b".to_owned())], "both typed the same main picture");
        assert!(
            !late.seen.is_changed(Field::Gallery, &stored) && late.seen.is_changed(Field::Title, &stored)
        );
        let (refused, theirs) = mine().refused(&stored, false);
        assert!(theirs.is_empty() && refused.seen.is_changed(Field::Gallery, &stored));
    }

    #[test]
    fn a_step_that_fits_the_typed_gallery_is_taken_there_and_another_one_is_a_conflict() {
        let before = texts("Mug", "m", "a b c");
        let step = |from, to, url: &str| PictureStep::Move { from, to, url: url.to_owned() };
        let take = |place, url: &str| PictureStep::Take { place, url: url.to_owned() };
        for (mine, step, after, shown, is_conflict) in [
            ("b c", step(2, 3, "b"), texts("Mug", "m", "a c b"), texts("Mug", "m", "c b"), false),
            ("b c", step(1, 2, "a"), texts("Mug", "m", "b a c"), texts("Mug", "m", "b c"), true),
            ("c b", take(2, "b"), texts("Mug", "m", "a c"), texts("Mug", "m", "c"), false),
        ] {
            let Typed { texts: texts_after, seen } =
                typed(&before, texts("Mug", "m", mine)).after(&step, &before, &after);
            assert_eq!(texts_after, shown, "{step:?}");
            assert_eq!(!merge(&seen, &texts_after, &after).conflicts.is_empty(), is_conflict, "{step:?}");
        }
    }

    #[test]
    fn a_gallery_that_was_not_typed_is_the_stored_one() {
        let (seen, before, after) =
            (texts("Mug", "m", "a"), texts("Mug", "m", "a c"), texts("Mug", "m", "a c x"));
        let shown = typed(&seen, texts("Mug", "typed", "a")).after(&more("x"), &before, &after);
        assert_eq!(shown.texts, texts("Mug", "typed", "a c x"));
        assert!(merge(&shown.seen, &shown.texts, &after).conflicts.is_empty());
    }
}
