//! Pages: small ones from the first to the last, and one beyond.

use super::{Examiner, NUMBER, PRODUCTS, Step};
use crate::answer::Call;
use crate::cursor::Flaws;
use crate::read::{LIST_RULES, product_list};
use crate::rule::{LINKS_WALK, META_PAGE, META_SIZE, ORDER_STEADY, PAGES_BEYOND};

/// The share of the requests that one walk may take, in hundredths.
const WALK_SHARE: u32 = 8;

impl Examiner<'_> {
    pub(super) fn examine_pages(&mut self) -> Step {
        if self.store.total < 2 {
            let why = format!("the store has {} products, which is one page", self.store.total);
            self.book.untried(&[&LINKS_WALK, &META_PAGE, &META_SIZE, &ORDER_STEADY], &why);
        } else {
            self.walk_small_pages()?;
        }
        self.read_beyond()
    }

    fn walk_small_pages(&mut self) -> Step {
        let size = self.store.small_page().to_string();
        let call = Call::get(PRODUCTS).with("page[size]", &size);
        let Some(walked) = self.walk(call, self.share(WALK_SHARE))? else { return Ok(()) };
        let ids: Vec<&str> = walked.items.iter().filter_map(|item| item.id.as_deref()).collect();
        let known = self.store.ids.iter().map(String::as_str).take(ids.len());
        let differs = ids.iter().zip(known).position(|(found, known)| *found != known);
        self.book.expect(&ORDER_STEADY, &walked.request, differs.is_none(), || {
            let place = differs.unwrap_or_default();
            let (known, found) = (self.store.ids.get(place), ids.get(place));
            (format!("{known:?} at place {place}, as before"), format!("{found:?}"))
        });
        if walked.is_whole {
            return Ok(());
        }
        let last = (self.store.total + self.store.small_page() - 1) / self.store.small_page();
        self.list(&Call::get(PRODUCTS).with("page[size]", &size).with(NUMBER, &last.to_string()))?;
        Ok(())
    }

    fn read_beyond(&mut self) -> Step {
        if self.store.is_unread() {
            self.book.untried(&[&PAGES_BEYOND], "the store could not be read");
            return Ok(());
        }
        let beyond = (self.store.total + 7).to_string();
        let answer = self.ask(&Call::get(PRODUCTS).with(NUMBER, &beyond))?;
        let (Ok(json), 200) = (&answer.json, answer.status) else {
            self.book.broke(&PAGES_BEYOND, &answer.request, "200 with no items", &answer.shown());
            return Ok(());
        };
        let mut flaws = Flaws::new();
        let page = product_list(json, &mut flaws);
        self.book.judge(&answer.request, LIST_RULES, flaws);
        let total = self.store.total;
        let is_empty = page.items.as_ref().is_some_and(Vec::is_empty);
        let tells_total = page.meta.as_ref().is_some_and(|meta| meta.total == total);
        let has_next = page.links.as_ref().is_some_and(|links| links.next.is_some());
        self.book.expect(&PAGES_BEYOND, &answer.request, is_empty && tells_total && !has_next, || {
            (format!("no items, meta.total {total}, links.next null"), answer.shown())
        });
        Ok(())
    }
}
