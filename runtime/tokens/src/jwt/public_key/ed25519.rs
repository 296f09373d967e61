//! Public Ed25519 keys ([RFC 8032, 5.1](https://www.rfc-editor.org/rfc/rfc8032#section-5.1)) that
//! correspond to one private key.

/// A coordinate, as a little-endian number.
type Coordinate = [u8; 32];

/// The order of the field, 2^255 - 19.
const PRIME: Coordinate = number_of(0xed, 0xff, 0x7f);

/// The coordinates y of the points whose order is 1, 2, 4 or 8. For such a key, one signature fits
/// many payloads, and any attacker can make it.
const OF_SMALL_ORDER: [Coordinate; 5] = [
    number_of(0x01, 0x00, 0x00),
    number_of(0xec, 0xff, 0x7f),
    number_of(0x00, 0x00, 0x00),
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
        0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53,
        0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67,
        0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac,
        0x03, 0x7a,
    ],
];

/// Returns `true` unless the key is of small order, or encoded in a way that is not canonical
/// ([RFC 8032, 5.1.3](https://www.rfc-editor.org/rfc/rfc8032#section-5.1.3)), where backends differ.
pub(crate) fn is_usable(key: &Coordinate) -> bool {
    let mut y = *key;
    let [.., last] = &mut y;
    // The sign of the coordinate x.
    *last &= 0x7f;
    y.iter().rev().lt(PRIME.iter().rev()) && !OF_SMALL_ORDER.contains(&y)
}

/// Returns a number of these bytes: the lowest one, those between, and the highest one.
const fn number_of(lowest: u8, between: u8, highest: u8) -> Coordinate {
    let mut number = [between; 32];
    let [first, .., last] = &mut number;
    (*first, *last) = (lowest, highest);
    number
}
