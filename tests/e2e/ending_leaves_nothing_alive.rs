//! P10: ending a session leaves no process of it alive; closing every browser leaves it alive.

use hyper::Method;
use serde_json::Value;

use crate::support::processes::{is_alive, marked};
use crate::support::world::{id, session_id};
use crate::support::{Database, World};

/// Children that do their best to be overlooked.
const STUBBORN: &str = "
trap '' HUP TERM
nohup sleep 3600 >/dev/null 2>&1 &
setsid sleep 3600 &
(setsid bash -c 'trap \"\" HUP TERM; sleep 3600 & wait' &)
bash -c '(sleep 3600 &) ; exit' 
sleep 3600 & kill -STOP $!
bash -c 'trap \"\" HUP TERM INT; while :; do read -t 60 <> <(:); done' &
echo settled
wait
";

#[tokio::test(flavor = "multi_thread")]
async fn stubborn_children_end_with_their_session() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("End").await;
    // Each round waits out the ladder (HUP 2 s, TERM 3 s), so they run side by side.
    let mut panes = Vec::new();
    for _ in 0..10 {
        let pane = world.pane(&room, "bash", &["-c", STUBBORN]).await;
        world.attach(&id(&pane)).await.sees("settled").await;
        let mark = format!("/{}", session_id(&pane));
        assert!(marked(&mark).len() >= 6, "the children carry the session's mark");
        panes.push((id(&pane), mark));
    }
    let ends = panes.iter().map(|(pane, _)| {
        let path = format!("/api/panes/{pane}");
        let world = &world;
        async move { world.ok(Method::DELETE, &path, Value::Null).await }
    });
    futures_util::future::join_all(ends).await;
    for (_, mark) in panes {
        let left: Vec<_> =
            marked(&mark).into_iter().filter(|process| is_alive(process.pid)).collect();
        assert_eq!(left, [], "left over");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_every_browser_leaves_the_session_alive() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Alive").await;
    let script = "stty -echo; echo up; read line; echo got $line; read";
    let pane = world.script(&room, script).await;
    let mut viewer = world.attach(&pane).await;
    viewer.sees("up").await;
    drop(viewer);
    let mut viewer = world.attach(&pane).await;
    viewer.acquire().await;
    viewer.type_text("it\r").await;
    viewer.sees("got it").await;
}
