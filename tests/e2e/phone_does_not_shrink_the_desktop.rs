//! P11: joining from a phone never changes the desktop's size; a resize has one author.

use serde_json::json;

use crate::support::{Database, World};

/// A program that says its size at first and whenever it changes.
const SIZES: &str = "exec node -e '
    const say = () => console.log(`size ${process.stdout.rows} ${process.stdout.columns}`);
    process.stdout.on(\"resize\", say); say(); setInterval(() => {}, 1000)'";

#[tokio::test(flavor = "multi_thread")]
async fn only_the_holder_resizes() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Sizes").await;
    let pane = world.script(&room, SIZES).await;
    let mut desktop = world.attach(&pane).await;
    desktop.acquire().await;
    desktop.send(json!({ "type": "resize", "cols": 120, "rows": 40 })).await;
    desktop.sees("size 40 120").await;

    // The phone joins and says its size: nothing happens, and it is told the grid's.
    let mut phone = world.attach(&pane).await;
    assert_eq!((&phone.ready["cols"], &phone.ready["rows"]), (&json!(120), &json!(40)));
    phone.send(json!({ "type": "resize", "cols": 45, "rows": 90 })).await;
    assert_eq!(phone.message("refused").await["code"], "held_by");

    // It takes over: exactly one resize, which everybody is told.
    phone.send(json!({ "type": "control", "action": "take" })).await;
    phone.until("the lease", |viewer| viewer.holds).await;
    phone.send(json!({ "type": "resize", "cols": 45, "rows": 90 })).await;
    desktop.sees("size 90 45").await;
    let resized = desktop.message("resized").await;
    assert_eq!(resized["cols"], 120, "the desktop's own comes first");
    let resized = desktop.message("resized").await;
    assert_eq!((&resized["cols"], &resized["rows"]), (&json!(45), &json!(90)));
    let text = String::from_utf8_lossy(&desktop.shown).into_owned();
    assert_eq!(text.matches("size 90 45").count(), 1, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_storm_of_sizes_few_arrive_and_the_last_one_stands() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Storm").await;
    let pane = world.script(&room, SIZES).await;
    let mut viewer = world.attach(&pane).await;
    viewer.acquire().await;
    viewer.sees("size").await;
    for n in 0..2_000_u32 {
        let cols = 60 + n % 80;
        viewer.send(json!({ "type": "resize", "cols": cols, "rows": 30 })).await;
    }
    viewer.send(json!({ "type": "resize", "cols": 133, "rows": 31 })).await;
    viewer.sees("size 31 133").await;
    let text = String::from_utf8_lossy(&viewer.shown).into_owned();
    // At most 20 a second; the storm takes well under five.
    assert!(text.matches("size ").count() <= 100, "{}", text.matches("size ").count());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_size_that_no_terminal_has_is_refused() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Sizes").await;
    let pane = world.script(&room, SIZES).await;
    let mut viewer = world.attach(&pane).await;
    viewer.acquire().await;
    for (cols, rows) in [(0, 24), (1, 24), (80, 1), (401, 24), (80, 201), (65_535, 65_535)] {
        viewer.send(json!({ "type": "resize", "cols": cols, "rows": rows })).await;
        let error = viewer.message("error").await;
        assert_eq!((&error["code"], &error["fatal"]), (&json!("bad_message"), &json!(false)));
    }
}
