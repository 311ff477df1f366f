//! Users.

pub(crate) mod read;
pub(crate) mod write;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{PageOf, UserFilter, UserStore};
use pointbook_domain::{PageRequest, User, UserId};

use crate::store::SqliteTenant;

#[async_trait]
impl UserStore for SqliteTenant {
    async fn user(&self, id: &UserId) -> StoreResult<Option<User>> {
        self.access.read("user", |database| read::user(database, &self.id, id))
    }

    async fn users(&self, filter: &UserFilter, page: PageRequest) -> StoreResult<PageOf<User>> {
        let (tenant, filter) = (self.id.clone(), filter.clone());
        self.access
            .read_long("users", &self.id, move |database| read::page(database, &tenant, &filter, page))
            .await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let (tenant, after) = (self.id.clone(), after.cloned());
        self.access
            .read_in_background("users_after", Some(&self.id), move |database| {
                read::after(database, &tenant, after.as_ref(), limit)
            })
            .await
    }
}
