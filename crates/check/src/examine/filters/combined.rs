//! Filters together: what each finds alone is the model.

use std::collections::BTreeSet;

use super::super::{Examiner, PRODUCTS, Step};
use super::{MAX_PRICE, MIN_PRICE, Single};
use crate::answer::Call;
use crate::rule::FILTERS_COMBINED;

impl Examiner<'_> {
    /// Every two different filters, and all of them, by price.
    pub(super) fn examine_combinations(&mut self, singles: &[Single]) -> Step {
        if singles.len() < 2 {
            self.book.untried(&[&FILTERS_COMBINED], "there are no two filters whose results are known");
        }
        for (place, left) in singles.iter().enumerate() {
            for right in singles.iter().skip(place + 1).filter(|right| right.0 != left.0) {
                self.examine_pair(left, right)?;
            }
        }
        self.walk_filtered(singles)
    }

    fn examine_pair(&mut self, left: &Single, right: &Single) -> Step {
        if is_empty_range(left, right) {
            return Ok(());
        }
        let filters = [left, right].map(|(name, value, _)| (*name, value.as_str()));
        let Some(found) = self.find(&filters)? else { return Ok(()) };
        let both: BTreeSet<String> = left.2.intersection(&right.2).cloned().collect();
        let difference = self.difference_of_ids(&found, &both);
        self.judge_found(&FILTERS_COMBINED, &found, difference);
        Ok(())
    }

    /// A filter with an order in small pages: the links must keep them all.
    fn walk_filtered(&mut self, singles: &[Single]) -> Step {
        let Some((name, value, ids)) = singles.iter().max_by_key(|single| single.2.len()) else {
            return Ok(());
        };
        let size = (ids.len() / 3).clamp(1, 15).to_string();
        let call = Call::get(PRODUCTS).with(name, value).with("sort", "-price").with("page[size]", &size);
        let request = call.to_string();
        let Some(walked) = self.walk(call, self.share(3))? else { return Ok(()) };
        let found: BTreeSet<String> = walked.items.iter().filter_map(|item| item.id.clone()).collect();
        let fits = if walked.is_whole { found == *ids } else { found.is_subset(ids) };
        self.book.expect(&FILTERS_COMBINED, &request, fits, || {
            (format!("the {} products of the filter alone", ids.len()), format!("{} others", found.len()))
        });
        Ok(())
    }
}

/// Whether these are a minimum above a maximum, which may be refused, or mean something else.
fn is_empty_range(left: &Single, right: &Single) -> bool {
    let value = |wanted: &str| {
        let found = [left, right].into_iter().find(|(name, ..)| *name == wanted);
        found.and_then(|(_, value, _)| value.parse::<i64>().ok())
    };
    matches!((value(MIN_PRICE), value(MAX_PRICE)), (Some(min), Some(max)) if min > max)
}
