//! The conformance suite of stores, one function per fact. A fact gets a new database and panics when it does not hold.

pub mod activities;
pub mod audit;
pub mod audit_log;
pub mod audit_log_rows;
pub mod back_fills;
pub mod back_tests;
pub mod campaign_budgets;
pub mod campaign_changes;
pub mod campaign_explanations;
pub(crate) mod campaign_helpers;
pub mod campaign_members;
pub mod campaign_races;
pub mod campaign_runs;
pub mod campaign_versions;
pub mod campaign_warnings;
pub mod campaigns;
pub mod categories;
pub mod chain;
pub mod clocks;
pub mod concurrency;
pub mod data_keys;
pub mod deliveries;
pub mod entries;
pub mod expiry;
pub mod expiry_notices;
pub(crate) mod expiry_scene;
pub mod feed;
pub mod figures;
mod figures_model;
mod figures_scene;
pub mod held;
mod helpers;
pub mod history;
pub mod isolation;
pub mod jobs;
pub mod keyed_writes;
pub mod long_ids;
pub mod operator_sessions;
pub mod operators;
pub mod order_lists;
pub mod order_refusals;
pub mod order_rows;
pub mod order_steps;
pub mod orders;
pub mod picture_rows;
pub mod pictures;
pub mod product_changes;
pub mod product_edits;
pub mod product_lists;
pub mod products;
pub mod races;
pub mod recording;
pub mod request_keys;
pub mod returns;
pub mod rows;
pub mod secrets;
pub mod state;
pub mod stock;
pub mod tenants;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod uplift;
pub mod user_changes;
pub mod user_lists;
pub mod users;
pub mod webhooks;

use std::any::Any;
use std::sync::Arc;

use pointbook_store::ports::Database;

pub use self::campaign_races::keep_returns_within_their_row;
pub use self::expiry_scene::{keep_points_to_their_end, terms as expiry_terms};
pub use self::helpers::{add_tenant, keep_the_limit_of_webhooks};
use self::helpers::{record_all, whole_history};

/// A new database with the resources that must live as long, such as its folder.
pub struct TestDatabase {
    /// The database, without tenants.
    pub database: Arc<dyn Database>,
    /// Dropped after the database.
    pub keep: Box<dyn Any + Send>,
}

/// Expands to one test per fact of the suite, and to the random tests against naive models. Takes the name of an
/// `async fn() -> TestDatabase`, or of an `async fn() -> Option<TestDatabase>`, which skips tests without a server. The
/// calling crate needs `tokio` with macros and the multi-threaded runtime.
#[macro_export]
macro_rules! conformance_suite {
    ($make:ident) => {
        $crate::conformance_suite! { $make;
            tenants:
                a_new_database_has_no_tenants,
                tenants_come_by_slug_then_environment,
                the_version_of_the_tenants_moves_with_each_change,
                every_field_of_a_tenant_survives,
                a_tenant_name_is_taken_once,
                a_base_url_is_taken_once,
                a_base_url_is_taken_under_both_schemes,
                an_update_replaces_what_may_change,
                an_update_to_the_base_url_of_another_is_refused,
                an_update_of_an_unknown_tenant_is_an_error,
                a_database_answers_a_ping;
            tokens:
                a_token_is_found_in_full,
                the_last_use_of_a_key_is_kept,
                a_tenant_has_a_bounded_number_of_keys,
                an_unknown_token_is_not_found,
                a_token_replaces_one_of_the_same_hash,
                a_token_creates_its_unknown_user,
                a_token_leaves_a_known_user_alone,
                a_token_is_revoked_once,
                revoking_a_user_returns_the_active_tokens,
                revoking_the_back_office_leaves_users_alone,
                tokens_are_listed_by_owner_and_by_id,
                a_token_is_found_by_the_beginning_of_its_hash,
                only_tokens_that_ended_before_are_removed,
                disabled_user_gets_no_token,
                token_tells_whether_its_user_is_disabled;
            audit_log:
                a_change_leaves_an_entry,
                some_writes_leave_no_entry,
                an_import_of_activities_is_counted,
                the_audit_log_is_listed,
                entries_of_many_writers_form_one_chain,
                old_entries_are_sealed;
            feed:
                a_change_has_its_events,
                an_order_has_its_events,
                many_writers_leave_no_gap,
                an_import_has_bounded_blocks,
                rows_of_events_are_found,
                old_blocks_are_removed,
                positions_go_on_in_a_new_generation,
                restarts_of_a_feed_at_once_take_turns;
            users:
                profiles_are_created_replaced_or_unchanged,
                the_same_user_twice_is_taken_in_order,
                a_profile_leaves_balance_and_creation_alone,
                users_are_paged_by_id;
            user_changes:
                a_change_creates_an_unknown_user,
                change_changes_only_the_named_fields,
                first_disabling_sets_the_time,
                a_change_leaves_points_and_history_alone,
                profile_keeps_a_user_disabled;
            user_lists:
                users_are_listed_by_id,
                users_are_found_by_a_part_of_their_id,
                users_are_filtered_by_disabled,
                users_come_in_pages;
            products:
                every_field_of_a_product_survives,
                unchanged_products_raise_no_version,
                a_call_raises_the_version_once,
                a_later_product_of_one_call_wins,
                a_default_publication_keeps_the_stored_one,
                every_difference_is_a_replacement,
                retiring_counts_only_unretired_products;
            product_changes:
                an_empty_catalogue_has_version_zero,
                changes_since_zero_are_the_unretired_products,
                later_changes_hold_tombstones_and_nothing_unchanged,
                changes_are_paged_by_id;
            product_edits:
                a_product_is_created_replaced_or_left_as_it_is,
                an_unknown_product_is_put_and_not_changed,
                a_product_in_another_state_is_not_changed,
                patch_changes_only_the_named_fields,
                a_stock_changes_by_a_difference,
                changes_and_orders_at_once_lose_nothing;
            product_lists:
                product_is_read_with_the_operators_fields,
                a_retired_product_is_not_read,
                products_are_listed_by_id,
                products_are_found_by_id_sku_and_title,
                products_are_found_by_each_condition, products_are_sorted_in_a_total_order, products_come_in_pages;
            categories:
                a_tree_survives_in_its_order,
                the_same_tree_changes_nothing,
                another_order_is_a_change,
                a_tree_that_another_writer_replaced_stays,
                a_category_moves_below_its_former_child,
                a_tree_is_replaced_by_an_empty_one;
            history:
                an_unknown_user_has_an_empty_history,
                a_transaction_is_read_back_in_full,
                a_day_is_the_utc_date,
                a_page_beyond_the_last_keeps_days_and_balance,
                a_page_of_thousands_of_rows_is_whole,
                a_user_does_not_see_a_user_with_a_similar_id;
            recording:
                a_balance_beyond_the_bounds_is_refused_alone,
                an_amount_beyond_the_bounds_is_refused,
                repeated_activity_is_recognized_at_the_bounds,
                an_unknown_user_is_created_when_recorded;
            activities:
                an_activity_with_other_content_conflicts,
                the_business_key_is_user_type_and_source,
                an_activity_beyond_the_bounds_is_refused,
                only_a_recorded_activity_creates_its_user,
                one_of_many_copies_is_recorded;
            chain:
                seq_and_chain_have_no_gap;
            entries:
                entries_are_read_back_in_full,
                entries_are_found_by_user_and_source,
                entries_are_paged_by_user_and_seq;
            orders:
                an_order_keeps_the_product_as_it_was,
                an_order_may_cost_the_largest_amount,
                the_threshold_of_the_tenant_decides_the_class,
                a_new_tenant_has_its_own_threshold,
                another_threshold_changes_every_limited_product;
            order_refusals:
                product_hidden_from_clients_is_not_sold,
                a_price_beyond_the_bounds_is_not_taken,
                a_refusal_names_the_first_reason;
            order_steps:
                a_refund_beyond_the_bounds_is_refused,
                a_full_stock_takes_no_more_pieces_back;
            order_rows:
                history_marks_rows_of_the_stores_orders,
                row_of_an_order_may_be_imported_again,
                foreign_orders_are_ordinary_activities;
            order_lists:
                orders_come_newest_first,
                an_order_is_found_by_its_number,
                orders_are_found_by_a_part,
                queued_orders_come_oldest_first,
                orders_are_read_part_by_part,
                orders_are_filtered,
                orders_are_paged,
                a_page_of_orders_beyond_the_last_keeps_the_total,
                the_most_ordered_products_come_first,
                the_most_ordered_products_are_neither_retired_nor_inactive;
            stock:
                stock_counts_are_in_the_order_of_ids,
                an_unlimited_stock_counts_what_orders_took;
            keyed_writes:
                a_keyed_order_is_placed_once,
                refusals_are_kept_like_any_answer,
                an_outcome_that_is_not_kept_leaves_the_key_free;
            request_keys:
                a_key_is_its_principals_own,
                tenants_share_no_request_keys,
                an_answer_is_kept_byte_for_byte,
                a_write_whose_answer_cannot_be_made_is_undone,
                one_of_many_requests_with_one_key_is_executed,
                only_keys_that_were_not_used_since_are_forgotten,
                a_replay_uses_the_key,
                an_earlier_replay_does_not_age_a_key,
                the_key_of_a_refusal_is_forgotten_sooner,
                the_key_that_was_used_the_longest_ago_is_known,
                a_principal_has_a_bounded_number_of_keys,
                a_lost_request_leaves_nothing_behind,
                a_lost_answer_is_found_under_its_key;
            secrets:
                a_secret_is_made_once,
                a_secret_is_that_of_one_name_in_one_tenant,
                many_first_callers_get_one_secret;
            data_keys:
                a_data_key_is_kept_once,
                a_data_key_is_that_of_one_tenant,
                many_first_callers_get_one_data_key,
                a_data_key_is_resealed_only_as_it_was_read,
                one_of_many_resealings_wins;
            audit:
                facts_come_by_user_then_part_then_place,
                a_long_ledger_is_sent_in_bounded_batches,
                audit_ends_without_error_when_its_reader_is_gone;
            long_ids:
                an_activity_of_the_longest_ids_is_recorded,
                a_product_of_the_longest_id_is_ordered,
                categories_of_the_longest_ids_survive;
            isolation:
                tenants_share_no_users_or_history,
                tenants_share_no_tokens,
                tenants_share_no_catalogue,
                environments_of_one_customer_share_nothing,
                tenants_share_no_orders,
                a_tenant_reads_only_its_own_rows;
            concurrency:
                writers_of_one_user_lose_nothing,
                one_of_many_equal_activities_is_recorded,
                catalogue_writers_raise_the_version_one_by_one,
                a_reader_sees_whole_commits;
            expiry:
                points_end_at_the_midnight_after_their_last_day,
                points_end_in_rows_of_their_own_type,
                a_spending_takes_what_ends_first_from_many_lots,
                the_balance_is_the_first_lot_when_points_begin_to_end,
                who_has_no_points_begins_without_a_lot,
                a_debt_stays_one_when_points_begin_to_end,
                nobody_loses_a_balance_in_the_year_in_which_points_begin_to_end,
                a_fulfilled_order_tells_the_points_that_are_left,
                a_cancelled_order_goes_back_to_its_lots,
                a_reversal_takes_from_the_lot_of_its_row,
                an_activity_keeps_all_points_alive,
                a_write_that_adds_nothing_ends_points_too,
                a_back_office_may_have_a_row_with_the_name_of_an_end,
                of_an_order_and_the_end_one_gets_the_points;
            held:
                an_activity_waits_and_is_released_once,
                a_held_activity_has_its_key,
                a_voided_activity_is_never_released,
                a_release_that_stops_goes_on,
                an_activity_is_released_or_voided,
                the_audit_finds_points_that_do_not_wait,
                a_damaged_activity_keeps_no_other_from_its_release,
                a_void_shows_no_points_that_are_over;
            returns:
                returns_have_their_share_of_the_bonus,
                a_row_is_returned_up_to_the_whole,
                a_return_overdraws_only_where_it_may,
                returns_at_the_same_time_are_never_more_than_the_row,
                an_activity_with_the_source_id_of_a_return_is_none;
            expiry_notices:
                each_end_is_told_once_for_each_notice,
                a_scan_that_stops_goes_on,
                a_sweep_that_stops_goes_on;
            races:
                nothing_is_sold_twice,
                no_point_is_spent_twice,
                an_order_is_refunded_once,
                either_cancelled_or_fulfilled;
            figures:
                figures_are_what_the_ledger_gives,
                of_two_instances_one_counts,
                figures_go_on_after_a_gap_in_the_feed,
                the_audit_finds_wrong_figures,
                the_audit_names_the_wrong_figures_of_members,
                other_rules_of_a_time_zone_begin_again,
                earners_come_by_points;
            uplift:
                uplift_compares_the_days_with_a_control_group;
            campaigns:
                an_activity_earns_the_bonus_of_a_campaign,
                the_day_of_an_award_is_a_local_day,
                a_repeat_is_the_first_transaction_whatever_campaigns_say,
                a_refused_activity_has_no_award,
                limits_per_user_follow_the_calendar,
                an_import_earns_what_single_activities_earn;
            campaign_budgets:
                a_low_and_a_spent_budget_are_told_once,
                a_budget_that_is_spent_at_once_was_never_low,
                a_reversal_gives_the_budget_back,
                a_partial_reversal_gives_nothing_back,
                a_budget_is_exact_while_reversals_give_back;
            campaign_members:
                ordinals_count_what_earned_points,
                ordinals_of_activities_at_once_have_no_gap,
                a_birthday_is_paid_once_in_330_days,
                a_new_birth_date_does_not_pay,
                the_time_of_a_birth_date_is_that_of_its_change;
            campaign_explanations:
                a_reversal_has_no_ordinal,
                a_ceiling_is_told_from_a_budget,
                awards_have_the_room_that_the_request_leaves,
                a_stored_transaction_is_explained,
                a_dry_run_says_what_recording_does;
            campaign_changes:
                each_change_of_a_campaign_is_a_version,
                a_campaign_takes_its_steps,
                a_pause_pauses_what_takes_over_later,
                a_schedule_for_the_past_takes_the_newest_draft,
                a_planned_start_is_scheduled_and_not_a_draft,
                a_planned_end_is_final,
                campaigns_and_their_versions_are_bounded,
                a_campaign_at_a_limit_can_be_stopped,
                campaigns_that_run_are_bounded,
                a_change_sees_what_was_added_after_it_read,
                changes_of_campaigns_at_once_have_no_gap;
            campaign_versions:
                a_version_takes_over_while_a_group_commits;
            campaign_runs:
                a_change_of_a_campaign_makes_its_job_due,
                starts_and_ends_that_are_told_at_once_are_told_once;
            campaign_warnings:
                warnings_come_with_new_definitions_and_starts;
            back_tests:
                a_back_test_of_what_ran_live_differs_in_nothing,
                a_requested_back_test_is_run_and_kept,
                a_back_test_is_cancelled,
                a_killed_back_test_begins_again;
            back_fills:
                a_back_fill_gives_each_award_once,
                a_back_fill_tops_up_and_leaves_reversed_rows_out,
                a_budget_pays_for_a_back_fill,
                back_filled_awards_count_for_limits,
                a_back_fill_is_cancelled,
                a_killed_back_fill_goes_on;
            jobs:
                the_longest_due_job_comes_first,
                one_of_two_instances_gets_a_job,
                a_job_that_is_not_due_is_not_run,
                lease_expires,
                a_lease_is_renewed_by_its_owner_only,
                a_renewed_lease_keeps_what_was_scheduled,
                a_run_that_succeeded_says_when_the_next_is_due,
                a_failed_job_waits_and_counts_its_attempts,
                one_time_job_is_removed_after_success,
                scheduling_brings_a_job_forward_and_never_back,
                a_job_that_is_scheduled_during_its_run_comes_again,
                late_and_failing_jobs_are_counted,
                tenants_share_no_jobs;
            operators:
                operators_are_added_changed_and_removed,
                tenants_share_no_operators,
                one_of_many_owners_stays,
                the_last_owner_leaves_no_operator_behind,
                the_limit_of_operators_holds_for_many_at_once;
            operator_sessions:
                a_link_opens_one_session,
                a_removed_operator_has_no_session_and_no_link,
                tenants_share_no_operator_sessions,
                a_token_that_differs_in_the_last_byte_is_no_session,
                ended_sessions_are_removed_by_the_next_one_and_by_cleaning,
                sessions_are_in_the_audit_log;
            pictures:
                a_picture_is_stored_once_and_found_again,
                pictures_are_listed_the_newest_first,
                one_of_many_equal_uploads_is_new,
                a_picture_of_a_product_stays,
                a_picture_is_not_removed_under_a_product_that_takes_it,
                tenants_share_no_pictures,
                pictures_are_in_the_audit_log;
            clocks:
                a_clock_goes_forward_and_other_tenants_keep_theirs,
                a_clock_survives_an_update_of_its_tenant,
                advances_at_once_all_count,
                all_jobs_of_a_tenant_are_due_when_its_clock_is_set,
                a_clock_returns_only_when_nothing_happened_later;
            webhooks:
                webhooks_are_added_changed_and_removed,
                a_removed_webhook_takes_its_progress_along,
                changes_of_webhooks_at_once_lose_nothing,
                a_failed_change_of_a_webhook_leaves_nothing,
                a_change_of_a_webhook_is_in_the_audit_log,
                attempts_of_a_webhook_are_listed;
            deliveries:
                two_processes_with_other_clocks_deliver_each_event_once,
                a_dead_process_is_replaced,
                a_removed_webhook_ends_its_delivery;
            rows:
                every_table_gives_its_rows_in_the_order_of_the_key,
                rows_are_found_by_a_list_of_keys,
                rows_come_in_pages,
                the_only_row_of_a_tenant_comes_once,
                written_rows_equal_the_read_rows,
                a_row_takes_the_place_of_the_one_with_its_key,
                a_row_of_the_ledger_stays_as_it_is,
                rows_are_written_all_or_none,
                row_with_a_taken_unique_value_is_refused_permanently,
                no_row_of_the_ledger_is_removed,
                snapshot_shows_the_rows_of_its_creation,
                removed_rows_are_gone_and_no_others,
                a_tenant_is_removed_with_all_its_rows;
            picture_rows:
                the_audit_finds_other_bytes;
            audit_log_rows:
                a_tampered_audit_log_is_found,
                a_change_without_its_entry_does_not_happen;
        }

        mod history_model {
            #[test]
            fn every_page_equals_the_naive_fold() {
                $crate::history_model::every_page_equals_the_naive_fold(super::$make);
            }
        }

        mod expiry_model {
            #[test]
            fn every_history_agrees_with_single_points() {
                $crate::expiry_model::every_history_agrees_with_single_points(super::$make);
            }
        }

        mod ledger_model {
            #[test]
            fn every_sequence_agrees_with_the_naive_tenant() {
                $crate::ledger_model::every_sequence_agrees_with_the_naive_tenant(super::$make);
            }
        }
    };
    ($make:ident; $($area:ident: $($fact:ident),+;)+) => {
        $(mod $area {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                let fresh: Option<$crate::TestDatabase> = super::$make().await.into();
                let Some(fresh) = fresh else { return };
                $crate::conformance::$area::$fact(fresh.database.clone()).await;
            })+
        })+
    };
}
