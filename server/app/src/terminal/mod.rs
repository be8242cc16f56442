//! A viewer's WebSocket.
