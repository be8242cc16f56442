//! A viewer's socket over an in-memory stream: what its far end sees.

mod far;

use std::sync::Arc;
use std::time::Duration;

use link::Message;
use wire::browser::Scope;
use wire::host::{LeaseAction, Request};
use wire::{Seq, SessionId};

use self::far::{Far, Setup, host};
use crate::hub::testing::{connect, hub, join, lose, print, replace, resize};

#[tokio::test]
async fn ready_comes_first_then_output_and_news() {
    let hub = hub(1);
    print(&hub, b"hello");
    let mut far = Far::open(&hub, Setup::default());
    let ready = far.message("ready").await;
    assert_eq!(ready["seq"], 0);
    assert_eq!(ready["cols"], 80);
    assert_eq!(ready["stream"], 1);
    let mut kinds = Vec::new();
    for _ in 0..4 {
        let message = far.text().await;
        kinds.push(message["type"].as_str().unwrap().to_owned());
    }
    kinds.sort();
    assert_eq!(kinds, ["control", "modes", "status", "viewers"]);
    assert_eq!(far.output().await, (Seq(5), b"hello".to_vec()));
    print(&hub, b"!");
    assert_eq!(far.output().await, (Seq(6), b"!".to_vec()));
}

#[tokio::test]
async fn a_text_client_gets_text_and_bytes_that_are_none_once() {
    let hub = hub(1);
    print(&hub, b"a\xFFb");
    let mut far = Far::open(&hub, Setup { text: true, ..Setup::default() });
    let output = far.message("output").await;
    assert_eq!(output["data"], "a\u{FFFD}b");
    assert_eq!(output["seq"], 3);
}

#[tokio::test]
async fn output_waits_for_what_was_sent_to_be_parsed() {
    let hub = hub(1);
    let mut far = Far::open(&hub, Setup::default());
    far.message("ready").await;
    print(&hub, &[b'x'; 100_000]);
    let mut end = Seq::ZERO;
    while end < Seq(65_536) {
        (end, _) = far.output().await;
    }
    assert!(far.is_quiet().await, "the window is full");
    far.say(r#"{"type":"ack","stream":1,"seq":65536}"#).await;
    while end < Seq(100_000) {
        (end, _) = far.output().await;
    }
}

#[tokio::test]
async fn a_text_client_without_acks_is_measured_by_its_pongs() {
    let hub = hub(1);
    let mut far = Far::open(&hub, Setup { text: true, ..Setup::default() });
    far.message("ready").await;
    print(&hub, &[b'x'; 200_000]);
    let mut end = 0;
    while end < 200_000 {
        end = far.message("output").await["seq"].as_u64().unwrap();
    }
    far.pongs = false;
    print(&hub, &[b'x'; 200_000]);
    while end < 265_536 - 32_768 {
        end = far.message("output").await["seq"].as_u64().unwrap();
    }
}

#[tokio::test]
async fn acknowledging_what_was_never_sent_closes() {
    let mut far = Far::open(&hub(1), Setup::default());
    far.message("ready").await;
    far.say(r#"{"type":"ack","stream":1,"seq":9}"#).await;
    assert_eq!(far.closed().await, 1008);
}

#[tokio::test]
async fn nonsense_is_answered_and_much_of_it_closes() {
    let mut far = Far::open(&hub(1), Setup::default());
    far.message("ready").await;
    for _ in 0..64 {
        far.say(r#"{"type":"input","data":"hunter2","extra":1}"#).await;
        let error = far.message("error").await;
        assert_eq!((&error["code"], &error["fatal"]), (&"bad_message".into(), &false.into()));
        assert!(!error.to_string().contains("hunter2"));
    }
    far.say("{}").await;
    assert_eq!(far.closed().await, 1008);
}

#[tokio::test]
async fn a_key_reaches_the_host_and_what_may_not_be_typed_is_refused() {
    let (hub, (client, mut host)) = (hub(1), host().await);
    connect(&hub, client);
    let mut far = Far::open(&hub, Setup::default());
    far.message("ready").await;
    let Some(Message::Request(back)) = host.next().await.unwrap() else { panic!("no request") };
    assert!(matches!(back.request, Request::Control { action: LeaseAction::Back, .. }));
    far.say(r#"{"type":"input","data":"ls\r","epoch":3,"run":0,"id":1}"#).await;
    let Some(Message::Input { head, bytes }) = host.next().await.unwrap() else {
        panic!("no input")
    };
    assert_eq!((head.epoch, head.id, &bytes[..]), (3, Some(1), &b"ls\r"[..]));

    let long = "x".repeat(1_000_001);
    far.say(&format!(r#"{{"type":"input","data":"{long}","run":0,"id":2}}"#)).await;
    assert_eq!(far.message("refused").await["code"], "too_large");
    far.say(r#"{"type":"input","data":"x","run":0,"id":3}"#).await;
    assert_eq!(far.message("refused").await["code"], "after_refused");
    far.say(r#"{"type":"input","data":"y","run":1,"id":4}"#).await;
    let Some(Message::Input { head, .. }) = host.next().await.unwrap() else { panic!("no input") };
    assert_eq!(head.id, Some(4));

    let mut guest = Far::open(&hub, Setup { read_only: true, viewer: 9, ..Setup::default() });
    guest.say(r#"{"type":"input","data":"x"}"#).await;
    assert_eq!(guest.message("refused").await["code"], "read_only");
    guest.say(r#"{"type":"resize","cols":10,"rows":10}"#).await;
    assert_eq!(guest.message("refused").await["code"], "read_only");
}

#[tokio::test]
async fn without_a_host_input_is_refused_and_not_lost() {
    let mut far = Far::open(&hub(1), Setup::default());
    far.say(r#"{"type":"input","data":"x","run":0,"id":1}"#).await;
    assert_eq!(far.message("refused").await["code"], "host_down");
}

#[tokio::test]
async fn a_new_viewer_of_an_old_session_is_sent_a_screen() {
    let hub = hub(1);
    print(&hub, &[b'x'; 100_000]);
    let mut far = Far::open(&hub, Setup::default());
    assert_eq!(join(&hub, "the screen").await, Scope::Screen);
    let head = far.message("snapshot").await;
    assert_eq!((&head["n"], &head["seq"]), (&1.into(), &100_000.into()));
    assert_eq!(head["reason"], "attach");
    assert_eq!(far.binary().await, b"\x02\0\0\0\x01the screen");
    print(&hub, b"y");
    assert_eq!(far.output().await, (Seq(100_001), b"y".to_vec()));
}

#[tokio::test]
async fn who_comes_back_gets_what_it_misses() {
    let hub = hub(1);
    print(&hub, b"hello world");
    let mut far = Far::open(&hub, Setup { has: Some(Seq(6)), ..Setup::default() });
    assert_eq!(far.message("ready").await["seq"], 6);
    assert_eq!(far.output().await, (Seq(11), b"world".to_vec()));
}

#[tokio::test]
async fn a_resize_stands_in_the_output() {
    let hub = hub(1);
    let mut far = Far::open(&hub, Setup::default());
    far.message("ready").await;
    print(&hub, b"a");
    assert_eq!(far.output().await.0, Seq(1));
    resize(&hub, 100, 30);
    print(&hub, b"b");
    let resized = far.message("resized").await;
    assert_eq!((&resized["cols"], &resized["seq"]), (&100.into(), &1.into()));
    assert_eq!(far.output().await.0, Seq(2));
}

#[tokio::test]
async fn a_newer_socket_of_the_same_viewer_takes_over() {
    let hub = hub(1);
    let mut old = Far::open(&hub, Setup::default());
    old.message("ready").await;
    let mut new = Far::open(&hub, Setup::default());
    new.message("ready").await;
    assert_eq!(old.closed().await, 4001);
    assert_eq!(new.message("viewers").await["viewers"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_lost_session_is_said_before_the_close() {
    let hub = hub(1);
    let mut far = Far::open(&hub, Setup::default());
    assert_eq!(far.message("status").await["state"], "running");
    lose(&hub);
    assert_eq!(far.message("status").await["state"], "lost");
    assert_eq!(far.closed().await, 4010);
}

#[tokio::test]
async fn a_viewer_goes_on_with_the_session_that_replaces_its_own() {
    let (before, after) = (hub(1), hub(2));
    print(&before, b"old");
    print(&after, b"new");
    let next = Some(Arc::clone(&after));
    let mut far = Far::open(&before, Setup { next, ..Setup::default() });
    far.output().await;
    replace(&before, after.session());
    let replaced = far.message("session_replaced").await;
    assert_eq!(replaced["stream"], 2);
    assert_eq!(replaced["session"], SessionId::from_random([2; 16]).to_string());
    assert_eq!(far.output().await, (Seq(3), b"new".to_vec()));
}

#[tokio::test]
async fn the_core_says_when_it_stops_and_when_the_sign_in_ends() {
    let mut far = Far::open(&hub(1), Setup::default());
    far.message("ready").await;
    far.shutdown.begin();
    assert_eq!(far.closed().await, 1001);

    let mut far = Far::open(&hub(1), Setup::default());
    far.message("ready").await;
    far.sign_out.take().unwrap().send(()).unwrap();
    assert_eq!(far.closed().await, 4003);
}

#[tokio::test(start_paused = true)]
async fn a_viewer_that_never_answers_is_let_go() {
    let hub = hub(1);
    let mut far = Far::open(&hub, Setup::default());
    far.message("ready").await;
    far.pongs = false;
    let begun = tokio::time::Instant::now();
    far.ended().await;
    assert_eq!(begun.elapsed().as_secs(), Duration::from_secs(30).as_secs());
}
