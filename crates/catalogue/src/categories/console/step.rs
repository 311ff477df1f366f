//! The steps from one tree to the next.

use http::StatusCode;
use pointbook_domain::category::EntryFault;
use pointbook_domain::{CategoryEntry, CategoryId, CategoryTree, EntryParent};
use pointbook_store::limits::MAX_CATEGORIES;

/// A change of the tree that an operator makes by one button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// At the end of its level.
    Add {
        id: CategoryId,
        label: String,
        parent: Option<CategoryId>,
    },
    Rename {
        id: CategoryId,
        label: String,
    },
    /// Before its sibling, or behind it. The first one and the last one stay, and so does one that is not at this place among its siblings
    /// any more: the button was pressed before.
    Shift {
        id: CategoryId,
        from: usize,
        is_up: bool,
    },
    /// To the end of the categories below another one, or of the top level, with all categories below it.
    PutBelow {
        id: CategoryId,
        parent: Option<CategoryId>,
    },
    /// Right before another one, on its level, with all categories below it.
    PutBefore {
        id: CategoryId,
        other: CategoryId,
    },
    /// Right behind another one and all categories below that, on its level.
    PutAfter {
        id: CategoryId,
        other: CategoryId,
    },
    /// The categories below it take its place.
    Remove {
        id: CategoryId,
    },
}

/// Why a step is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Impossible {
    /// The category is gone.
    Unknown,
    UnknownParent,
    Duplicate,
    Cycle,
    TooDeep,
    TooMany,
    /// Another person moved categories since the page was made.
    Late,
}

impl Impossible {
    /// The id of its text.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Unknown => "category-error-unknown",
            Self::UnknownParent => "category-error-parent",
            Self::Duplicate => "category-error-duplicate",
            Self::Cycle => "category-error-cycle",
            Self::TooDeep => "category-error-deep",
            Self::TooMany => "category-error-many",
            Self::Late => "category-error-late",
        }
    }

    pub(super) fn code(self) -> StatusCode {
        if self == Self::Late { StatusCode::CONFLICT } else { StatusCode::UNPROCESSABLE_ENTITY }
    }
}

impl From<EntryFault> for Impossible {
    fn from(fault: EntryFault) -> Self {
        match fault {
            EntryFault::Duplicate => Self::Duplicate,
            EntryFault::UnknownParent => Self::UnknownParent,
            EntryFault::Cycle => Self::Cycle,
            EntryFault::TooDeep => Self::TooDeep,
        }
    }
}

impl Step {
    /// The tree after the step. It may be the same one.
    ///
    /// # Errors
    /// [`Impossible`] with the reason. Nothing is changed in part.
    pub(super) fn applied_to(&self, tree: &CategoryTree) -> Result<CategoryTree, Impossible> {
        let mut entries = entries(tree);
        self.change(&mut entries)?;
        CategoryTree::from_entries(entries)
            .map_err(|errors| errors.first().map_or(Impossible::Unknown, |error| error.fault.into()))
    }

    fn change(&self, entries: &mut Vec<CategoryEntry>) -> Result<(), Impossible> {
        match self {
            Self::Add { .. } if entries.len() >= MAX_CATEGORIES => return Err(Impossible::TooMany),
            Self::Add { id, label, parent } => entries.push(CategoryEntry {
                id: id.clone(),
                label: label.clone(),
                parent: named(parent.as_ref()),
            }),
            Self::Rename { id, label } => {
                let place = place(entries, id)?;
                entries.iter_mut().skip(place).take(1).for_each(|entry| entry.label.clone_from(label));
            }
            Self::Shift { id, from, is_up } => shift(entries, id, *from, *is_up)?,
            Self::PutBelow { id, parent } => {
                let place = place(entries, id)?;
                let entry = entries.remove(place);
                entries.push(CategoryEntry { parent: named(parent.as_ref()), ..entry });
            }
            Self::PutBefore { id, other } => put_beside(entries, id, other, 0)?,
            Self::PutAfter { id, other } => put_beside(entries, id, other, 1)?,
            Self::Remove { id } => {
                let place = place(entries, id)?;
                let CategoryEntry { parent, .. } = entries.remove(place);
                let orphans =
                    entries.iter_mut().filter(|entry| entry.parent == EntryParent::Named(id.clone()));
                orphans.for_each(|entry| entry.parent.clone_from(&parent));
            }
        }
        Ok(())
    }
}

/// The categories one by one, each before those below it. Siblings keep their order.
fn entries(tree: &CategoryTree) -> Vec<CategoryEntry> {
    let mut entries = Vec::new();
    tree.visit(&mut |category, parent, _| {
        let parent = named(parent.map(|parent| &parent.id));
        entries.push(CategoryEntry { id: category.id.clone(), label: category.label.clone(), parent });
    });
    entries
}

fn named(parent: Option<&CategoryId>) -> EntryParent {
    parent.map_or(EntryParent::None, |parent| EntryParent::Named(parent.clone()))
}

fn place(entries: &[CategoryEntry], id: &CategoryId) -> Result<usize, Impossible> {
    entries.iter().position(|entry| entry.id == *id).ok_or(Impossible::Unknown)
}

/// Puts the category this many entries behind another one. Only the order of siblings counts, so those below the other one may follow.
fn put_beside(
    entries: &mut Vec<CategoryEntry>,
    id: &CategoryId,
    other: &CategoryId,
    behind: usize,
) -> Result<(), Impossible> {
    let own = place(entries, id)?;
    if id == other {
        return Ok(());
    }
    let moved = entries.remove(own);
    let next = place(entries, other).map_err(|_| Impossible::UnknownParent)?;
    let parent = entries.get(next).map(|entry| entry.parent.clone()).ok_or(Impossible::UnknownParent)?;
    entries.insert(next + behind, CategoryEntry { parent, ..moved });
    Ok(())
}

fn shift(entries: &mut [CategoryEntry], id: &CategoryId, from: usize, is_up: bool) -> Result<(), Impossible> {
    let own = place(entries, id)?;
    let parent = entries.get(own).map(|entry| entry.parent.clone());
    let siblings: Vec<usize> = (0..entries.len())
        .filter(|at| entries.get(*at).map(|entry| &entry.parent) == parent.as_ref())
        .collect();
    let rank = siblings.iter().position(|at| *at == own).ok_or(Impossible::Unknown)?;
    if rank != from {
        return Ok(());
    }
    let other = if is_up { rank.checked_sub(1) } else { rank.checked_add(1) };
    if let Some(other) = other.and_then(|rank| siblings.get(rank)) {
        entries.swap(own, *other);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> CategoryId {
        CategoryId::new(text).unwrap()
    }

    fn parent(text: &str) -> Option<CategoryId> {
        (!text.is_empty()).then(|| id(text))
    }

    /// `a(b c) d` with labels like ids.
    fn sample() -> CategoryTree {
        ["a", "d", "b a", "c a"].into_iter().fold(CategoryTree::default(), |tree, text| {
            let (name, above) = text.split_once(' ').unwrap_or((text, ""));
            let step = Step::Add { id: id(name), label: name.to_uppercase(), parent: parent(above) };
            step.applied_to(&tree).unwrap()
        })
    }

    /// The tree as text, with labels.
    fn shown(tree: &CategoryTree) -> String {
        fn level(categories: &[pointbook_domain::Category]) -> String {
            let one = |category: &pointbook_domain::Category| match &*category.children {
                [] => category.label.clone(),
                below => format!("{}({})", category.label, level(below)),
            };
            categories.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        level(tree.roots())
    }

    fn after(step: &Step) -> Result<String, Impossible> {
        step.applied_to(&sample()).map(|tree| shown(&tree))
    }

    fn shift(name: &str, from: usize, is_up: bool) -> Step {
        Step::Shift { id: id(name), from, is_up }
    }

    fn below(name: &str, above: &str) -> Step {
        Step::PutBelow { id: id(name), parent: parent(above) }
    }

    fn before(name: &str, other: &str) -> Step {
        Step::PutBefore { id: id(name), other: id(other) }
    }

    fn after_it(name: &str, other: &str) -> Step {
        Step::PutAfter { id: id(name), other: id(other) }
    }

    #[test]
    fn a_step_changes_one_category() {
        assert_eq!(shown(&sample()), "A(B C) D");
        for (step, expected) in [
            (Step::Rename { id: id("b"), label: "Bowls".into() }, "A(Bowls C) D"),
            (shift("c", 1, true), "A(C B) D"),
            (shift("b", 0, true), "A(B C) D"),
            (shift("a", 0, false), "D A(B C)"),
            (shift("d", 1, false), "A(B C) D"),
            (shift("a", 1, false), "A(B C) D"),
            (below("d", "b"), "A(B(D) C)"),
            (below("b", ""), "A(C) D B"),
            (below("a", "d"), "D(A(B C))"),
            (before("c", "b"), "A(C B) D"),
            (before("b", "c"), "A(B C) D"),
            (before("d", "a"), "D A(B C)"),
            (before("d", "c"), "A(B D C)"),
            (before("b", "d"), "A(C) B D"),
            (before("a", "d"), "A(B C) D"),
            (before("a", "a"), "A(B C) D"),
            (after_it("b", "c"), "A(C B) D"),
            (after_it("c", "b"), "A(B C) D"),
            (after_it("d", "a"), "A(B C) D"),
            (after_it("a", "d"), "D A(B C)"),
            (after_it("d", "b"), "A(B D C)"),
            (after_it("b", "a"), "A(C) B D"),
            (after_it("b", "d"), "A(C) D B"),
            (after_it("a", "a"), "A(B C) D"),
            (Step::Remove { id: id("a") }, "B C D"),
            (Step::Remove { id: id("c") }, "A(B) D"),
        ] {
            assert_eq!(after(&step).unwrap(), expected, "{step:?}");
        }
    }

    #[test]
    fn an_impossible_step_says_why() {
        let add =
            |name: &str, above: &str| Step::Add { id: id(name), label: "X".into(), parent: parent(above) };
        for (step, why) in [
            (add("b", ""), Impossible::Duplicate),
            (add("x", "y"), Impossible::UnknownParent),
            (below("a", "c"), Impossible::Cycle),
            (below("a", "a"), Impossible::Cycle),
            (below("x", "a"), Impossible::Unknown),
            (before("a", "c"), Impossible::Cycle),
            (after_it("a", "c"), Impossible::Cycle),
            (after_it("a", "x"), Impossible::UnknownParent),
            (before("x", "a"), Impossible::Unknown),
            (before("a", "x"), Impossible::UnknownParent),
            (Step::Remove { id: id("x") }, Impossible::Unknown),
            (shift("x", 0, true), Impossible::Unknown),
        ] {
            assert_eq!(after(&step), Err(why), "{step:?}");
        }
    }

    #[test]
    fn a_branch_cannot_get_too_deep() {
        let mut tree = CategoryTree::default();
        for level in 0..32 {
            let above = if level == 0 { None } else { Some(id(&(level - 1).to_string())) };
            let step = Step::Add { id: id(&level.to_string()), label: "X".into(), parent: above };
            tree = step.applied_to(&tree).unwrap();
        }
        let step = Step::Add { id: id("x"), label: "X".into(), parent: Some(id("31")) };
        assert_eq!(step.applied_to(&tree), Err(Impossible::TooDeep));
    }
}
