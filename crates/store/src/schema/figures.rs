//! How far the figures of reports are. Every slice that reads figures asks here.

use pointbook_domain::zones::time_zone::Zone;

use crate::schema::rows::FiguresState;

pointbook_domain::words! {
    /// What the next step does.
    pub Phase {
        /// Removes all figures.
        Clearing = "clearing",
        /// Counts the ledger, user by user.
        Scanning = "scanning",
        /// Counts new events.
        Following = "following",
    }
}

impl FiguresState {
    /// Whether the figures have the days of this time zone, with these rules.
    pub fn has_days_of(&self, zone: &Zone) -> bool {
        self.time_zone == zone.name().as_str() && self.zone_rules == zone.rules()
    }

    /// Whether the figures of these days are complete but for the newest events.
    pub fn follows(&self, zone: &Zone) -> bool {
        self.has_days_of(zone) && self.phase == Phase::Following.as_str()
    }
}
