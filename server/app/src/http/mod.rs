//! Handlers, one module per noun. Each reads its body, asks one rule, and answers; what a route
//! asks of its caller stands in [`crate::router`].

pub mod answer;
pub mod assets;
pub mod events;
pub mod folders;
pub mod health;
pub mod me;
pub mod openapi;
pub mod panes;
pub mod profiles;
pub mod rooms;
pub mod sessions;
pub mod signin;
pub mod tickets;
pub mod transcript;
