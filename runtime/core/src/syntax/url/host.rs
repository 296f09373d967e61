//! The host of a URL, as data that the compiler can check
//! ([RFC 3986, 3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2)).

/// Reads a host: a name, an IPv4 address, or an IPv6 address without its brackets. Returns it with
/// what follows, or what is wrong, as the end of a sentence.
#[allow(clippy::arithmetic_side_effects, reason = "no URL is that long")]
pub(crate) const fn read(url: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    if let [b'[', address @ ..] = url {
        let mut length = 0;
        let mut rest = address;
        while let [byte, tail @ ..] = rest
            && (byte.is_ascii_hexdigit() || *byte == b':')
        {
            (length, rest) = (length + 1, tail);
        }
        let (address, rest) = address.split_at(length);
        return match rest {
            [b']', rest @ ..] if is_ipv6(address) => Ok((address, rest)),
            _ => Err(NOT_IPV6),
        };
    }
    let mut length = 0;
    let mut rest = url;
    while let [byte, tail @ ..] = rest
        && !matches!(byte, b'/' | b'?' | b'#' | b':' | b'[')
    {
        if *byte == b'@' {
            return Err("must have no user name; remove what is before `@`");
        }
        (length, rest) = (length + 1, tail);
    }
    let (host, rest) = url.split_at(length);
    if host.is_empty() {
        return Err("must have a host; write one like `https://example.com`");
    }
    if !is_name(host) {
        return Err(
            "must have a host of letters, digits, `-` and `.`; write other alphabets in Punycode",
        );
    }
    // A name whose last part is a number is read as an IPv4 address.
    if ends_with_number(host) && !is_ipv4(host) {
        return Err(
            "must have an IPv4 address of four numbers; write one like `https://192.0.2.1`",
        );
    }
    if let [b'[', ..] = rest {
        return Err(NOT_IPV6);
    }
    Ok((host, rest))
}

const NOT_IPV6: &str =
    "must have an IPv6 address in brackets; write one like `https://[2001:db8::1]`";

/// Returns `true` if a host is this machine: `localhost`, a name below it, `127.0.0.1` and the
/// like, or `::1`.
pub(crate) const fn is_loopback(host: &[u8]) -> bool {
    if is_ipv4(host) {
        return matches!(host, [b'1', b'2', b'7', b'.', ..]);
    }
    if let [zeros @ .., b':', b'1'] = host {
        let mut rest = zeros;
        while let [b'0' | b':', tail @ ..] = rest {
            rest = tail;
        }
        return rest.is_empty();
    }
    let Some((above, name)) = host.split_last_chunk::<9>() else {
        return false;
    };
    matches!(above, [] | [.., b'.']) && name.eq_ignore_ascii_case(b"localhost")
}

/// Returns `true` if a name consists of labels that are not empty and do not begin or end with `-`.
const fn is_name(host: &[u8]) -> bool {
    let mut before = b'.';
    let mut rest = host;
    while let [byte, tail @ ..] = rest {
        let is_allowed = match byte {
            b'.' => !matches!(before, b'.' | b'-'),
            b'-' => before != b'.',
            byte => byte.is_ascii_alphanumeric(),
        };
        if !is_allowed {
            return false;
        }
        (before, rest) = (*byte, tail);
    }
    !matches!(before, b'.' | b'-')
}

const fn ends_with_number(host: &[u8]) -> bool {
    let mut rest = host;
    while let [head @ .., last] = rest {
        match last {
            b'0'..=b'9' => rest = head,
            b'.' => return true,
            _ => return false,
        }
    }
    true
}

#[allow(clippy::arithmetic_side_effects, reason = "numbers of three digits, and four of them")]
const fn is_ipv4(host: &[u8]) -> bool {
    let (mut numbers, mut digits, mut number) = (1, 0, 0_u16);
    let mut rest = host;
    while let [byte, tail @ ..] = rest {
        match byte {
            b'0'..=b'9' if digits < 3 => {
                (number, digits) = (number * 10 + (*byte - b'0') as u16, digits + 1);
            }
            b'.' if digits > 0 && number <= 255 => (numbers, digits, number) = (numbers + 1, 0, 0),
            _ => return false,
        }
        rest = tail;
    }
    numbers == 4 && digits > 0 && number <= 255
}

/// Returns `true` if hexadecimal digits and colons are an IPv6 address: eight groups, or fewer with
/// one `::`.
#[allow(clippy::arithmetic_side_effects, reason = "no URL is that long")]
const fn is_ipv6(address: &[u8]) -> bool {
    let (mut groups, mut digits, mut has_gap) = (0, 0, false);
    let mut rest = address;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if *byte != b':' {
            groups += (digits == 0) as usize;
            digits += 1;
        } else if let [b':', tail @ ..] = rest {
            if has_gap || matches!(tail, [b':', ..]) {
                return false;
            }
            (has_gap, digits, rest) = (true, 0, tail);
        } else if digits == 0 || rest.is_empty() {
            return false;
        } else {
            digits = 0;
        }
        if digits > 4 {
            return false;
        }
    }
    if has_gap { groups < 8 } else { groups == 8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_four_numbers_or_eight_groups() {
        for (host, is_address) in [
            ("1.2.3.4", true),
            ("255.255.255.255", true),
            ("256.2.3.4", false),
            ("1.2.3.256", false),
            ("0001.2.3.4", false),
            ("1.2.3.0004", false),
            ("1..3.4", false),
            ("1.2.3.", false),
            ("1.2.3", false),
            ("1.2.3.4.5", false),
        ] {
            assert_eq!(is_ipv4(host.as_bytes()), is_address, "{host}");
        }
        for (address, is_address) in [
            ("::", true),
            ("::1", true),
            ("1::", true),
            ("1:2:3:4:5:6:7:8", true),
            ("1:2:3:4:5:6:7::", true),
            ("1:2:3:4:5:6:7::8", false),
            ("1:2:3:4:5:6:7", false),
            ("1:2:3:4:5:6:7:8:9", false),
            ("1::2::3", false),
            (":::", false),
            (":1::", false),
            ("1::2:", false),
            ("12345::", false),
        ] {
            assert_eq!(is_ipv6(address.as_bytes()), is_address, "{address}");
        }
    }
}
