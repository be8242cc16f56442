//! Who may come in: by which host name, from which page, as whom, and with which ticket.

pub mod doors;
