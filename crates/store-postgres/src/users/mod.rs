//! Users.

pub(crate) mod read;
pub(crate) mod write;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{PageOf, UserFilter, UserStore};
use pointbook_domain::{PageRequest, User, UserId};

use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl UserStore for PostgresTenant {
    async fn user(&self, id: &UserId) -> StoreResult<Option<User>> {
        self.access.read_short("user", |database| read::user(database, &self.id, id).scoped()).await
    }

    async fn users(&self, filter: &UserFilter, page: PageRequest) -> StoreResult<PageOf<User>> {
        self.access
            .read_snapshot("users", |database| read::page(database, &self.id, filter, page).scoped())
            .await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        self.access
            .read("users_after", |database| read::after(database, &self.id, after, limit).scoped())
            .await
    }
}
