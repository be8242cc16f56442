//! pane
