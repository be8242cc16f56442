//! What Glasshouse promises, over real processes: one module a promise.

mod support;

mod ending_leaves_nothing_alive;
mod every_byte_once;
mod exits_are_true;
mod keys_are_not_delayed;
mod nobody_without_a_ticket;
mod one_holder_types;
mod phone_does_not_shrink_the_desktop;
mod rooms_hold_sixteen;
mod sessions_outlive_the_core;
mod trouble_is_contained;
