//! The tables of figures. A copy leaves them out: they are counted from the ledger.

use super::PLAIN;
use crate::schema::{Column, Kind, Table};

tables! {
    /// How far the figures of reports are: which events they count, and in which time zone their days are.
    FIGURES = "figures" {
        Integer: writes;
        Text: phase time_zone;
        Integer: generation position;
        Text: scanned_user;
        Integer: scanned_seq zone_rules;
    } key_columns: 0, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// What the figures count of each user: how many ledger rows, on which days, from which months.
    MEMBER_FIGURES = "member_figures" {
        Text: user_id;
        Integer: counted_seq earned_points spent_points day_count last_day;
        Bytes: days;
        Text: vintages campaigns;
    } is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The points of each local day, by type of activity.
    DAILY_TOTALS = "daily_totals" {
        Integer: day;
        Text: type;
        Integer: transactions earned_points bonus_points spent_points refunded_points reversed_points reversals;
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How many members were active on each local day, and in the 7 and 28 days that end with it.
    DAILY_MEMBERS = "daily_members" {
        Integer: day joined active_1 active_7 active_28 came_back lapsed;
    } is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How many members of each month of joining were active in each month.
    COHORTS = "cohorts" {
        Integer: joined month members;
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The points of each month of earning.
    VINTAGES = "vintages" {
        Integer: month issued_points spent_points reversed_points;
    } is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// What each campaign gave for the events of each local day.
    CAMPAIGN_DAYS = "campaign_days" {
        Integer: day;
        Text: campaign_id;
        Integer: awards points first_members;
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The orders of each product, by local day.
    PRODUCT_DAYS = "product_days" {
        Integer: day;
        Text: product_id;
        Integer: orders pieces points cancelled_orders cancelled_pieces cancelled_points;
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";
}
