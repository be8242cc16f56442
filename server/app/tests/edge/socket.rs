//! The accept loop over real sockets.

use app::listen;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use ws::{Codec, Config, Event};

use crate::support::{Ask, Core, OUR_HOST, OUR_ORIGIN};

async fn serve(core: &Core) -> TcpStream {
    let listener = listen::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = core.app.shutdown.clone();
    shutdown.track(listen::serve(listener, core.router.clone(), shutdown.clone()));
    TcpStream::connect(address).await.unwrap()
}

/// Opens an event socket as a browser does.
async fn follow(core: &Core) -> hyper::upgrade::Upgraded {
    let cookie = core.signin().await;
    let asked = Ask::post("/api/tickets").by(&cookie).json(&json!({ "events": true }));
    let ticket = core.send(asked).await.json()["events"].as_str().unwrap().to_owned();
    let stream = TokioIo::new(serve(core).await);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
    tokio::spawn(connection.with_upgrades());
    let request = http::Request::get("/api/events")
        .header("host", OUR_HOST)
        .header("origin", OUR_ORIGIN)
        .header("cookie", cookie)
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
        .header("sec-websocket-protocol", format!("glasshouse.v1, ticket.{ticket}"))
        .body(Empty::<bytes::Bytes>::new())
        .unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.status(), 101);
    hyper::upgrade::on(response).await.unwrap()
}

/// The code with which the socket is closed.
async fn closed(socket: hyper::upgrade::Upgraded) -> Option<u16> {
    let (mut socket, mut codec) = (TokioIo::new(socket), Codec::client(Config::default()));
    let mut code = None;
    let mut bytes = [0; 1024];
    loop {
        let read = socket.read(&mut bytes).await.unwrap();
        if read == 0 {
            return code;
        }
        codec.on_bytes(&bytes[..read]);
        while let Some(event) = codec.poll_event() {
            if let Event::Close(close) = event.unwrap() {
                code = close.code().map(ws::CloseCode::get);
            }
        }
    }
}

#[tokio::test]
async fn a_stop_tells_sockets_that_were_upgraded_and_waits_for_them() {
    let core = Core::start().await;
    let socket = follow(&core).await;
    let hearing = tokio::spawn(closed(socket));
    core.app.shutdown.begin();
    assert!(core.app.shutdown.finished().await);
    assert_eq!(hearing.await.unwrap(), Some(1001));
}

#[tokio::test]
async fn a_sign_out_closes_the_sockets_of_that_sign_in() {
    let core = Core::start().await;
    let socket = follow(&core).await;
    let signin = core.app.store.signins(core.app.store.owner().id).await.unwrap()[0].id;
    core.app.signins.end(signin);
    assert_eq!(closed(socket).await, Some(4003));
}

#[tokio::test]
async fn a_head_that_does_not_come_closes_its_connection() {
    let core = Core::start().await;
    let mut stream = serve(&core).await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: 127.0.0.1:4911\r\nx-slow: ").await.unwrap();
    // Nothing more comes: the paused clock runs to the next timer.
    tokio::time::pause();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    assert!(!rest.starts_with(b"HTTP/1.1 200"));
}

#[tokio::test]
async fn a_head_without_end_is_cut_off() {
    let core = Core::start().await;
    let mut stream = serve(&core).await;
    let endless = [b"GET / HTTP/1.1\r\nx: ".as_slice(), &vec![b'a'; 1024 * 1024]].concat();
    // It may be closed while we still write.
    drop(stream.write_all(&endless).await);
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer).await);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"));
}

#[tokio::test]
async fn a_body_without_end_is_refused() {
    let core = Core::start().await;
    let cookie = core.signin().await;
    let mut stream = serve(&core).await;
    let head = format!(
        "POST /api/rooms HTTP/1.1\r\nhost: {OUR_HOST}\r\norigin: {OUR_ORIGIN}\r\n\
         cookie: {cookie}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = [b"4000\r\n".as_slice(), &[b' '; 0x4000], b"\r\n"].concat();
    for _ in 0..64 {
        if stream.write_all(&chunk).await.is_err() {
            break;
        }
    }
    let mut answer = [0; 12];
    drop(stream.read_exact(&mut answer).await);
    assert!(answer == *b"HTTP/1.1 413" || answer == [0; 12]);
}

/// The stream's body is never read whole here: only that it begins.
#[tokio::test]
async fn scripts_follow_a_stream_instead() {
    use tower::ServiceExt as _;
    let core = Core::start().await;
    let cookie = core.signin().await;
    let request = http::Request::get("/api/events?after=unknown:1")
        .header("host", OUR_HOST)
        .header("cookie", cookie)
        .body(axum::body::Body::empty())
        .unwrap();
    let response = core.router.clone().oneshot(request).await.unwrap();
    let first = response.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
    let first = String::from_utf8(first.to_vec()).unwrap();
    assert!(first.contains(r#""type":"reset""#), "{first}");
}
