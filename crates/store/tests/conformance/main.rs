//! Every promise of the store, kept on SQLite and on PostgreSQL alike: each case runs once on a fresh database of
//! either kind. PostgreSQL's cases are skipped, loudly, where it is not installed.

#![cfg(test)]

mod answers;
mod audit_events;
mod backup;
mod entitlements;
mod faults;
mod harness;
mod idempotency;
mod identities;
mod invitations;
mod latency;
mod lifecycle;
mod members;
mod model_tokens;
mod organizations;
mod postgres_cluster;
mod postgres_protocol;
mod review_guidelines;
mod shared_limits;
mod sqlite_file;
mod tokens;
mod usage;
mod users;

macro_rules! cases {
    ($($module:ident::{$($case:ident),+ $(,)?})+) => {
        mod on_sqlite {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let fresh = crate::harness::Fresh::sqlite().await;
                    crate::$module::$case(&fresh).await;
                    fresh.discard().await;
                }
            )+)+
        }

        mod on_postgres {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let Some(fresh) = crate::harness::Fresh::postgres().await else { return };
                    crate::$module::$case(&fresh).await;
                    fresh.discard().await;
                }
            )+)+
        }
    };
}

cases! {
    lifecycle::{
        every_statement_is_prepared,
        what_is_kept_outlives_the_process,
        many_open_an_empty_database_at_once,
        a_database_of_an_earlier_program_is_brought_up_to_date,
        a_database_of_a_newer_program_is_refused,
        a_closed_store_is_unavailable,
        connections_are_counted,
    }
    users::{
        users_are_listed_and_found,
        names_hold_any_character,
    }
    organizations::{
        the_maker_is_the_owner,
        nothing_is_left_of_an_organization_without_an_owner,
        members_are_added_once,
        tenants_do_not_see_each_other,
        inactive_organizations_are_invisible_to_members,
        the_status_follows_the_state_machine,
        of_many_who_archive_one_does,
        an_active_organization_is_renamed,
        pages_neither_repeat_nor_miss_while_organizations_are_made,
        operators_see_every_organization_by_status_and_page,
        so_many_are_owned_however_many_are_made_at_once,
        nobody_becomes_an_owner_of_more_than_one_may_own,
        a_user_is_entitled_unasked_in_so_many_organizations,
    }
    members::{
        members_are_listed_in_pages,
        owners_change_everybody_and_admins_all_but_owners,
        who_leaves_takes_their_entitlements_along,
        the_last_owner_stays,
        of_owners_who_remove_each_other_at_once_one_stays,
    }
    invitations::{
        an_invitation_makes_a_member_once,
        of_many_who_accept_one_code_one_joins,
        who_accepts_many_codes_at_once_uses_one,
        an_invitation_ends_with_its_last_millisecond,
        who_is_a_member_uses_no_code_up,
        an_invitation_is_worth_what_its_organization_is,
        roles_invite_and_revoke_up_to_themselves,
        an_invitation_is_revoked_once_or_accepted,
        invitations_end_with_the_right_to_make_them,
        so_many_may_be_open_and_no_more,
        invitations_are_listed_in_pages_within_their_organization,
        who_joins_is_entitled_where_that_is_granted,
        the_code_is_nowhere_in_the_database,
    }
    audit_events::{
        what_is_done_is_told_with_who_did_it,
        what_is_refused_is_not_told,
        events_are_of_one_organization,
        pages_neither_repeat_nor_miss_while_events_are_added,
        of_many_changes_at_once_each_is_told,
    }
    idempotency::{
        the_same_request_is_answered_again,
        another_request_or_user_is_told_apart,
        a_key_is_free_again_after_its_life,
        at_once_one_is_made,
        at_once_an_expired_key_makes_one,
        of_different_requests_at_once_one_wins,
        a_failed_request_leaves_the_key_free,
        expired_keys_are_forgotten,
    }
    identities::{
        a_subject_of_an_issuer_is_one_user,
        of_many_who_see_a_subject_first_one_makes_the_user,
        an_identity_is_any_text_but_one,
    }
    tokens::{
        a_token_is_found_by_its_digest,
        a_token_ends_with_its_last_millisecond,
        a_revoked_token_is_gone,
        tokens_are_listed_and_revoked_by_their_user_only,
        so_many_tokens_are_in_force_however_many_ask_at_once,
        of_tokens_that_are_over_the_newest_are_kept,
        a_token_ends_with_the_one_that_it_was_made_with,
        no_token_outlives_the_revocation_of_its_maker,
        a_token_is_made_with_a_token_of_ones_own_that_is_in_force,
        scopes_are_kept_once_and_in_order,
        a_token_needs_its_user_and_organization,
        the_secret_is_nowhere_in_the_database,
        the_last_use_is_noted,
        uses_that_several_note_at_once_end_with_the_last,
    }
    latency::{
        each_statement_is_counted_by_kind_and_ending,
    }
    answers::{
        a_token_revoked_by_another_process_is_refused_at_once,
        what_an_answer_holds_is_never_old,
        a_kept_token_ends_with_its_last_millisecond,
        who_asks_after_a_revocation_never_gets_in,
    }
    entitlements::{
        a_member_has_none_until_one_is_granted,
        only_members_can_be_entitled,
        the_status_follows_the_state_machine_here_too,
        an_entitlement_ends_with_its_last_millisecond,
        a_grant_brings_back_what_ended,
        entitlements_are_of_one_member_organization_and_product,
        of_many_who_revoke_one_does,
        a_negative_limit_is_refused,
        a_change_follows_the_state_machine_and_grants_what_is_over,
        what_a_change_leaves_out_stays,
        a_change_of_an_entitlement_leaves_one_event,
        changes_at_once_are_made_one_after_the_other,
    }
    usage::{
        the_month_s_limit_is_exact,
        simultaneous_reviews_never_exceed_the_limit,
        a_review_that_did_not_come_about_is_given_back,
        limits_are_of_one_member_and_month,
        simultaneous_counts_all_arrive,
        usage_is_listed_by_day_and_by_member_within_an_organization,
        more_tokens_than_any_review_uses_do_not_overflow_the_counts,
        a_month_s_reviews_are_counted,
        usage_needs_an_organization_a_user_and_a_day,
    }
    model_tokens::{
        a_month_gives_what_it_has,
        what_was_not_used_is_there_again,
        tokens_are_of_one_organization_and_month,
        replicas_together_never_exceed_the_limit,
        what_a_process_that_died_had_set_aside_stays_counted,
        tokens_need_an_organization_and_a_day,
    }
    review_guidelines::{
        the_last_text_is_kept_until_it_is_deleted,
        guidelines_are_of_one_organization,
        of_many_who_set_guidelines_one_is_whole,
    }
}
