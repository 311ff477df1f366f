//! Commands: loaded in one round trip, decided in memory, saved as arrays in a second one, committed in a third.

mod catalogue;
mod groups;
mod keys;
mod load;
mod save;
mod transact;

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::{AnyCommand, CommandStore, Lane};

pub(crate) use self::groups::Groups;
pub(crate) use self::load::{Hold, locking};
use crate::permits::Writer;
use crate::store::PostgresTenant;

#[async_trait]
impl CommandStore for PostgresTenant {
    /// What a back office does at once is large, and is executed alone. All else that waits is executed in groups.
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()> {
        let lane = command.lane();
        let admission = self.access.admit(lane.clone())?;
        match lane {
            Lane::BackOffice => {
                let _permit = self.access.write_permit(Writer::BackOffice).await?;
                transact::alone(&self.access, &self.id, &*command).await
            }
            Lane::User(_) | Lane::Order(_) => self.groups.run(lane, command, admission).await,
        }
    }
}
