use super::*;

const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

#[test]
fn every_length_is_written_in_its_shortest_form_and_read_back() {
    let rows = [
        (0, 2),
        (1, 2),
        (125, 2),
        (126, 4),
        (127, 4),
        (65_535, 4),
        (65_536, 10),
        (1 << 40, 10),
        ((1 << 63) - 1, 10),
    ];
    for (payload_bytes, head_bytes) in rows {
        for mask in [None, Some(KEY)] {
            let header =
                Header { fin: true, rsv1: true, opcode: Opcode::Binary, mask, payload_bytes };
            let head = header.encode();
            assert_eq!(head.len(), head_bytes + mask.map_or(0, |key| key.len()));
            assert_eq!(Header::parse(&head), Ok(Some((header, head.len()))));
            for end in 0..head.len() {
                assert_eq!(Header::parse(&head[..end]), Ok(None), "cut at {end}");
            }
        }
    }
}

#[test]
fn a_wrong_header_fails_at_its_first_wrong_byte() {
    let rows: [(&[u8], Error); 13] = [
        (&[0x91], Error::ReservedBit),
        (&[0xa1], Error::ReservedBit),
        (&[0x83], Error::UnknownOpcode(3)),
        (&[0x07], Error::UnknownOpcode(7)),
        (&[0x8b], Error::UnknownOpcode(11)),
        (&[0x8f], Error::UnknownOpcode(15)),
        (&[0x08], Error::FragmentedControl),
        (&[0x09], Error::FragmentedControl),
        (&[0x89, 0xfe], Error::LongControl),
        (&[0x88, 0x7f], Error::LongControl),
        (&[0x82, 0xfe, 0x00, 0x7d], Error::OverlongLength),
        (&[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff], Error::OverlongLength),
        (&[0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], Error::LengthOutOfRange),
    ];
    for (bytes, error) in rows {
        assert_eq!(Header::parse(bytes), Err(error), "{bytes:x?}");
        assert_eq!(Header::parse(&bytes[..bytes.len() - 1]), Ok(None), "{bytes:x?}");
    }
}

#[test]
fn the_masked_hello_of_the_rfc_unmasks() {
    let mut payload = [0x7f, 0x9f, 0x4d, 0x51, 0x58];
    Mask::new(KEY).apply(&mut payload);
    assert_eq!(&payload, b"Hello");
}

#[test]
fn a_mask_keeps_its_place_across_every_cut() {
    let plain: Vec<u8> = (0..100).collect();
    let whole: Vec<u8> =
        plain.iter().zip(KEY.iter().cycle()).map(|(byte, key)| byte ^ key).collect();
    for first in 0..plain.len() {
        for second in first..plain.len() {
            let mut cut = plain.clone();
            let mut mask = Mask::new(KEY);
            mask.apply(&mut cut[..first]);
            mask.apply(&mut cut[first..second]);
            mask.apply(&mut cut[second..]);
            assert_eq!(cut, whole, "cut at {first} and {second}");
        }
    }
}
