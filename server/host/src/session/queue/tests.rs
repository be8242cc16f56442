use std::time::Duration;

use wire::browser::CallerKind;
use wire::{CallerId, ViewerId};

use super::*;

/// A terminal that takes so many bytes and then no more.
struct Terminal {
    got: Vec<u8>,
    room: usize,
}

struct World {
    queue: Queue,
    lease: Lease,
    terminal: Terminal,
    now: Instant,
}

fn world(room: usize) -> World {
    World {
        queue: Queue::new(SessionId::from_random([0; 16])),
        lease: Lease::new(),
        terminal: Terminal { got: Vec::new(), room },
        now: Instant::now(),
    }
}

fn by(n: u8) -> By {
    By {
        caller: CallerId::from_random([n; 16]),
        viewer: ViewerId::from_random([n; 16]),
        name: format!("caller {n}"),
        kind: CallerKind::Person,
        owner: true,
    }
}

impl World {
    fn send(
        &mut self,
        n: u8,
        epoch: u32,
        id: u64,
        paste: Option<Paste>,
        text: &str,
    ) -> Vec<String> {
        let session = SessionId::from_random([0; 16]);
        let head = InputHead { session, by: by(n), paste, epoch, run: 0, id: Some(id) };
        let bytes = Bytes::copy_from_slice(text.as_bytes());
        let event = self.queue.offer(&mut self.lease, head, bytes, self.now);
        event.iter().map(tell).collect()
    }

    fn write(&mut self, wanted: bool) -> Vec<String> {
        let terminal = &mut self.terminal;
        let events = self.queue.write(wanted, self.now, |bytes| {
            let taken = bytes.len().min(terminal.room);
            if taken == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            terminal.room -= taken;
            terminal.got.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        });
        events.iter().map(tell).collect()
    }

    fn got(&self) -> String {
        String::from_utf8_lossy(&self.terminal.got).replace('\x1b', "^").replace('\x03', "^C")
    }
}

fn tell(event: &HostEvent) -> String {
    if let HostEvent::InputAck { id, .. } = event {
        format!("ack {id}")
    } else if let HostEvent::Refused { id: Some(id), code, .. } = event {
        format!("{code:?} {id}")
    } else {
        format!("{event:?}")
    }
}

const NONE: [&str; 0] = [];

#[test]
fn input_is_written_once_and_acknowledged_with_its_last_byte() {
    let mut world = world(3);
    assert_eq!(world.send(1, 0, 1, None, "hello"), NONE);
    assert_eq!(world.write(false), NONE, "three of five bytes");
    assert_eq!(world.send(1, 1, 1, None, "hello"), NONE, "still queued");
    world.terminal.room = 100;
    assert_eq!(world.write(false), ["ack 1"]);
    assert_eq!(world.send(1, 1, 1, None, "hello"), ["ack 1"]);
    assert_eq!((world.write(false), world.got().as_str()), (Vec::new(), "hello"));
}

#[test]
fn a_full_queue_refuses_a_whole_message_and_what_follows_it() {
    let mut world = world(0);
    let large = "x".repeat(full());
    assert_eq!(world.send(1, 0, 1, None, &large), NONE, "taken whole, although it fills it");
    assert_eq!(world.send(1, 1, 2, None, "y"), ["Busy 2"]);
    assert_eq!(world.send(1, 1, 3, None, "z"), ["AfterRefused 3"]);
    world.terminal.room = usize::MAX;
    assert_eq!(world.write(false), ["ack 1"]);
    assert_eq!(world.terminal.got.len(), full());
}

#[test]
fn a_paste_is_marked_when_the_program_wants_it_then() {
    let mut world = world(100);
    world.send(1, 0, 1, Some(Paste::One), "a\nb");
    assert_eq!(world.write(true), ["ack 1"]);
    world.send(1, 1, 2, Some(Paste::One), "c");
    world.write(false);
    assert_eq!(world.got(), "^[200~a\nb^[201~c");
}

#[test]
fn a_new_holder_never_types_into_an_open_bracket() {
    let mut world = world(9);
    world.send(1, 0, 1, Some(Paste::Start), "abcdef");
    world.send(1, 1, 2, Some(Paste::End), "g");
    assert_eq!(world.write(true), NONE);
    world.now += Duration::from_secs(3);
    world.lease.take(&by(2), world.now).unwrap();
    let events = world.queue.keep_only(Some(&by(2)), world.now);
    assert_eq!(events.iter().map(tell).collect::<Vec<_>>(), ["Dropped 1", "Dropped 2"]);
    world.terminal.room = 100;
    assert_eq!(world.send(2, 2, 1, None, "k"), NONE);
    assert_eq!(world.write(true), ["ack 1"]);
    assert_eq!(world.got(), "^[200~abc^[201~k");
    assert_eq!(world.send(1, 1, 2, Some(Paste::End), "g"), ["Dropped 2"], "said again");
}

#[test]
fn a_whole_paste_that_is_cut_short_is_closed() {
    for (room, got) in [(0, "k"), (3, "^[200~^[201~k"), (8, "^[200~ab^[201~k")] {
        let mut world = world(room);
        world.send(1, 0, 1, Some(Paste::One), "abcdef");
        world.write(true);
        world.queue.keep_only(Some(&by(2)), world.now);
        world.now += Duration::from_secs(3);
        world.lease.take(&by(2), world.now).unwrap();
        world.terminal.room = 100;
        world.send(2, 2, 1, None, "k");
        world.write(true);
        assert_eq!(world.got(), got, "cut after {room} bytes");
    }
}

#[test]
fn an_interrupt_overtakes_what_is_queued() {
    let mut world = world(2);
    world.send(1, 0, 1, None, "abcd");
    world.send(1, 1, 2, None, "efgh");
    world.write(false);
    let events = world.queue.interrupt(Some(3), world.now);
    assert_eq!(events.iter().map(tell).collect::<Vec<_>>(), ["Dropped 1", "Dropped 2"]);
    world.terminal.room = 100;
    assert_eq!(world.write(false), NONE);
    assert_eq!(world.got(), "ab^C");
    assert!(!world.queue.is_waiting() && world.queue.waiting_bytes == 0);
}

#[test]
fn an_interrupt_between_two_parts_of_a_paste_closes_it() {
    let mut world = world(100);
    world.send(1, 0, 1, Some(Paste::Start), "ab");
    world.write(true);
    world.queue.interrupt(Some(3), world.now);
    world.write(true);
    assert_eq!(world.got(), "^[200~ab^[201~^C");
    assert_eq!(world.send(1, 1, 2, Some(Paste::More), "cd"), NONE);
    assert_eq!(world.write(true), ["Dropped 2"]);
}

#[test]
fn an_answer_waits_behind_an_open_bracket_and_goes_before_later_keys() {
    let mut world = world(100);
    world.send(1, 0, 1, Some(Paste::Start), "ab");
    world.write(true);
    world.queue.answer(b"[answer]".to_vec());
    assert!(!world.queue.is_waiting());
    world.send(1, 1, 2, Some(Paste::End), "c");
    world.send(1, 1, 3, None, "k");
    assert_eq!(world.write(true), ["ack 2", "ack 3"]);
    assert_eq!(world.got(), "^[200~abc^[201~[answer]k");
}

#[test]
fn a_program_that_asks_and_never_reads_is_answered_so_often() {
    let mut world = world(0);
    for _ in 0..1_000 {
        world.queue.answer(vec![b'a'; 1_000]);
    }
    world.terminal.room = usize::MAX;
    world.write(false);
    assert_eq!(world.terminal.got.len(), 65_000);
}
