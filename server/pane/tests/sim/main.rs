//! The rules together: whatever happens in whatever order, each viewer ends with the session's
//! output, and no queue passes its bound on the way.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod viewer;
mod world;

use proptest::prelude::*;

use world::World;

/// Viewers in a world.
const VIEWERS: usize = 3;

/// What can happen.
#[derive(Clone, Debug)]
enum Step {
    /// The program prints.
    Output(usize),
    /// The program prints much at once.
    Flood,
    /// A viewer parses what it was sent and says so.
    Ack(usize),
    /// A viewer parses what it was sent; what it says is lost.
    LoseAck(usize),
    Show(usize, bool),
    Resize,
    Resync(usize),
    /// A viewer's socket is cut; it comes back with what it has.
    Drop(usize),
    /// The core is killed and started anew.
    RestartCore,
    /// The pane runs another session.
    Replace,
    Advance(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let viewer = 0..VIEWERS;
    prop_oneof![
        6 => (1_usize..40_000).prop_map(Step::Output),
        3 => (1_usize..30).prop_map(Step::Output),
        1 => Just(Step::Flood),
        6 => viewer.clone().prop_map(Step::Ack),
        1 => viewer.clone().prop_map(Step::LoseAck),
        2 => (viewer.clone(), any::<bool>()).prop_map(|(v, visible)| Step::Show(v, visible)),
        2 => Just(Step::Resize),
        1 => viewer.clone().prop_map(Step::Resync),
        2 => viewer.prop_map(Step::Drop),
        1 => Just(Step::RestartCore),
        1 => Just(Step::Replace),
        6 => (1_u64..700).prop_map(Step::Advance),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_viewer_ends_with_the_sessions_output(
        script in prop::collection::vec(step(), 1..120),
        screens in any::<bool>(),
    ) {
        let mut world = World::new(VIEWERS, screens);
        for step in script {
            match step {
                Step::Output(bytes) => world.print(bytes),
                Step::Flood => world.print(1_500_000),
                Step::Ack(viewer) => world.parse(viewer, true),
                Step::LoseAck(viewer) => world.parse(viewer, false),
                Step::Show(viewer, visible) => world.show(viewer, visible),
                Step::Resize => world.resize(),
                Step::Resync(viewer) => world.resync(viewer),
                Step::Drop(viewer) => world.drop_socket(viewer),
                Step::RestartCore => world.restart_core(),
                Step::Replace => world.replace(),
                Step::Advance(ms) => world.advance(ms),
            }
        }
        world.settle();
    }
}

#[test]
fn a_viewer_that_never_acknowledges_holds_up_nobody() {
    let mut world = World::new(2, true);
    for _ in 0..400 {
        world.print(40_000);
        world.parse(0, true);
        world.advance(20);
    }
    assert!(world.joins() <= 81, "ten a second at most");
    assert!(world.sent_bytes(1) <= 136 * 1024, "a window, a screen and a window");
    assert!(world.is_current(0));
    world.settle();
}
