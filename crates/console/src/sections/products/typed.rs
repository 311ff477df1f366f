//! What an operator typed into the form of a product, beside what a button changed of the product meanwhile.

use super::fields::{Field, Seen, Texts};
use super::picture_steps::{PictureStep, Pictures, Stepped};

/// The form as the browser sent it.
pub(super) struct Typed {
    pub(super) texts: Texts,
    /// What the form showed at first.
    pub(super) seen: Seen,
}

const PICTURES: [Field; 2] = [Field::Thumbnail, Field::Gallery];

impl Typed {
    fn is_mine(&self, field: Field) -> bool {
        self.seen.is_changed(field, &self.texts)
    }

    /// Whether another person changed what the step needs since the page was made.
    pub(super) fn is_late(&self, step: &PictureStep, stored: &Texts) -> bool {
        Field::ALL.into_iter().any(|field| step.needs(field) && self.seen.is_changed(field, stored))
    }

    /// The form over a product that is stored now: fields that the operator did not touch are those of the product. Fields that are
    /// `settled` count as seen, so saving the form does not ask about them.
    fn over(self, stored: &Texts, settled: impl Fn(Field) -> bool) -> Self {
        let is_mine = |field| self.is_mine(field);
        let texts = Texts::chosen(&self.texts, stored, is_mine);
        let untouched = Field::ALL.into_iter().filter(|field| !is_mine(*field) || settled(*field));
        let seen = untouched.fold(self.seen.clone(), |seen, field| seen.with(field, stored));
        Self { texts, seen }
    }

    /// The form after the step, which was taken from `before` to `after`. The step is taken in the lists that the operator typed, too.
    pub(super) fn after(mut self, step: &PictureStep, before: &Texts, after: &Texts) -> Self {
        if PICTURES.into_iter().any(|field| self.is_mine(field))
            && let Stepped::To(Pictures { main, gallery }) = step.applied_to(&Pictures::of_texts(&self.texts))
        {
            self.texts = self.texts.with(Field::Thumbnail, &main).with(Field::Gallery, &gallery.join("\n"));
        }
        // What another person changed besides is still to be shown as a conflict.
        let is_settled: Vec<Field> =
            PICTURES.into_iter().filter(|field| !self.seen.is_changed(*field, before)).collect();
        self.over(after, |field| is_settled.contains(&field))
    }

    /// The form after a refused step. The page shows the pictures as they are now, so the next step is no surprise.
    pub(super) fn refused(self, stored: &Texts, is_late: bool) -> Self {
        self.over(stored, |field| is_late && PICTURES.contains(&field))
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
        Typed { texts, seen: Seen::of(seen) }
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
        let again = late.refused(&stored, true);
        assert_eq!(again.texts, texts("Cup", "typed", "a"));
        assert!(!again.is_late(&step, &stored) && !again.is_late(&more("x"), &stored));
    }
}
