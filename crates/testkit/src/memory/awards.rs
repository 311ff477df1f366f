//! Loads and keeps the awards of campaigns and the shares of their budgets.

use pointbook_app::commands::{AccountState, BudgetChange, Facts, Needs, RowChange};
use pointbook_app::tables::{Cell, Row};
use pointbook_domain::User;
use pointbook_schema::rows::{AwardRow, MemberProfile, UserAccount};
use pointbook_schema::{AWARDS, BUDGET_SHARES, Write, cells};

use super::Rows;

impl Rows {
    pub(super) fn load_awards(&self, needs: &Needs, facts: &mut Facts) {
        for range in &needs.awards {
            let query = range.query();
            facts.put_awards(range.clone(), query.read(&self.found(&query).unwrap()).unwrap());
        }
        for need in &needs.budgets {
            let query = need.query();
            facts.put_budget(need, query.read(&self.found(&query).unwrap()).unwrap());
        }
    }

    pub(super) fn keep_awards(&mut self, awards: &[AwardRow], budgets: &[BudgetChange]) {
        for award in awards {
            self.change_row(&RowChange::Write(&AWARDS, row_of(award)));
        }
        for change in budgets {
            self.change_row(&RowChange::Write(&BUDGET_SHARES, row_of(&change.after)));
        }
    }
}

pub(super) fn account(user: &User, state: &AccountState) -> UserAccount {
    let User { id, birth_date, birth_date_set_at, locale, created_at, .. } = user.clone();
    let member = MemberProfile { birth_date, birth_date_set_at, locale, created_at };
    UserAccount { id, state: state.clone(), member }
}

fn row_of(value: &impl Write) -> Row {
    cells(value).into_iter().map(Cell::from).collect()
}
