//! One story, told on both databases: they must behave alike.
//!
//! PostgreSQL is found at `GLASSHOUSE_TEST_POSTGRES_URL`, which `cargo dev test` sets. Without it
//! the PostgreSQL half fails: only `GLASSHOUSE_TEST_SKIP_POSTGRES=1` skips it, so that nobody
//! thinks it passed.

#![expect(clippy::unwrap_used, reason = "a story that cannot go on fails")]

#[path = "story/opening.rs"]
mod opening;
#[path = "story/people.rs"]
mod people;
#[path = "story/record.rs"]
mod record;
#[path = "story/rooms.rs"]
mod rooms;
#[path = "story/sessions.rs"]
mod sessions;
#[path = "story/support.rs"]
mod support;

use support::Place;

/// Every chapter, each on a store of its own.
async fn tell(place: &Place) {
    opening::the_first_one_names_the_store(place).await;
    opening::two_openers_at_once_migrate_once(place).await;
    opening::a_closed_store_says_it_is_down(place).await;

    rooms::sixty_four_parallel_panes_are_sixteen(place).await;
    rooms::a_closed_pane_gives_its_slot_to_the_next(place).await;
    rooms::parallel_rooms_stop_at_the_limit(place).await;
    rooms::a_moved_room_makes_the_others_make_way(place).await;
    rooms::a_layout_made_on_an_old_version_is_stale(place).await;
    rooms::a_pane_moves_with_its_session_and_a_full_room_takes_none(place).await;
    rooms::folders_are_registered_once(place).await;

    people::a_token_redeemed_by_a_hundred_at_once_signs_one_in(place).await;
    people::an_expired_token_signs_nobody_in(place).await;
    people::a_revoked_sign_in_is_nobody(place).await;

    sessions::a_session_is_written_down_before_it_runs(place).await;
    sessions::of_two_starts_of_one_pane_one_is_stale(place).await;
    sessions::a_refused_start_leaves_no_trace(place).await;
    sessions::states_only_go_forward(place).await;

    record::rows_tile_under_crashes_lost_replies_and_two_recorders(place).await;
    record::a_session_that_moved_takes_no_other_with_it(place).await;
    record::a_batch_that_spoils_the_statement_is_refused_alone(place).await;
    record::a_torn_batch_is_not_tried(place).await;
    record::pages_hold_rows_and_gaps_in_order(place).await;
    record::a_lost_session_ends_in_a_gap_without_end(place).await;
    record::the_tail_is_the_last_rows(place).await;
    record::marks_come_back_as_they_went(place).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_tells_the_story() {
    tell(&Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_tells_the_story() {
    if let Some(place) = Place::postgres() {
        tell(&place).await;
    }
}
