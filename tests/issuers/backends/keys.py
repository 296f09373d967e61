"""Writes `keys.json`: keys of each type, and tokens that they sign. Needs the package `cryptography`:
python3 tests/issuers/backends/keys.py

Each entry has `kind`, the public key as a `jwk` and as `pem`, `good` and `bad` tokens, and for RSA the
`bits` of the modulus and the `exponent`. A bad token has a signature that no verifier may accept. The
keys of `small` order are those for which one signature fits many payloads.
"""

import base64
import hashlib
import json
import math
import pathlib
import secrets

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
CLAIMS = {"iss": "https://id.example.com", "aud": "https://api.example.com", "sub": "ann", "exp": 4102444800}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return encoded(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def message(algorithm, **more):
    parts = [{"alg": algorithm, "typ": "at+jwt"}, {**CLAIMS, **more}]
    return ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)


def token(algorithm, sign, **more):
    text = message(algorithm, **more)
    return f"{text}.{encoded(sign(text.encode()))}"


def pem(key):
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_bytes(serialization.Encoding.PEM, form).decode()


def prime(bits, exponent):
    while True:
        # The two highest bits are set, so the product of two primes has the bits of both.
        value = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if all(value % small for small in (3, 5, 7, 11, 13)) and math.gcd(value - 1, exponent) == 1:
            if all(pow(base, value - 1, value) == 1 for base in (2, 3, 5, 7)):
                return value


def rsa_key(bits, exponent):
    p, q = prime(bits // 2, exponent), prime(bits - bits // 2, exponent)
    d = pow(exponent, -1, math.lcm(p - 1, q - 1))
    factors = [d % (p - 1), d % (q - 1), pow(q, -1, p)]
    numbers = rsa.RSAPublicNumbers(exponent, p * q)
    key = rsa.RSAPrivateNumbers(p, q, d, *factors, numbers)
    key = key.private_key(unsafe_skip_rsa_key_validation=True)
    assert numbers.n.bit_length() == bits

    sha256 = hashes.SHA256()
    pss = padding.PSS(padding.MGF1(sha256), padding.PSS.DIGEST_LENGTH)
    pkcs1 = padding.PKCS1v15()

    def sign(padding):
        return lambda text: key.sign(text, padding, sha256)

    def beyond(padding):
        """The same signature as a number that is not below the modulus."""

        def signed(text):
            value = int.from_bytes(key.sign(text, padding, sha256), "big") + numbers.n
            return value.to_bytes((bits + 7) // 8, "big")

        return signed

    bad = []
    # There is room for it only if the modulus does not fill its bytes.
    if bits % 8 > 1:
        bad = [token("RS256", beyond(pkcs1)), token("PS256", beyond(pss))]
    return {
        "kind": "RSA",
        "bits": bits,
        "exponent": exponent,
        "jwk": {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)},
        "pem": pem(key.public_key()),
        "good": [token("RS256", sign(pkcs1)), token("PS256", sign(pss))],
        "bad": bad,
    }


def ec_key(curve, name, algorithm, hash_function):
    """A key one of whose coordinates begins with a zero byte."""
    size = (curve.key_size + 7) // 8
    while True:
        key = ec.generate_private_key(curve)
        numbers = key.public_key().public_numbers()
        if min(numbers.x, numbers.y).bit_length() <= 8 * (size - 1):
            break

    def sign(text):
        pair = utils.decode_dss_signature(key.sign(text, ec.ECDSA(hash_function)))
        return b"".join(value.to_bytes(size, "big") for value in pair)

    coordinates = {"x": number(numbers.x, size), "y": number(numbers.y, size)}
    return {
        "kind": "EC",
        "jwk": {"kty": "EC", "crv": name, **coordinates},
        "pem": pem(key.public_key()),
        "good": [token(algorithm, sign)],
        "bad": [token(algorithm, lambda text: sign(text) + b"\0")],
    }


def ed25519_key():
    key = ed25519.Ed25519PrivateKey.generate()

    def beyond(text):
        """The same signature with a scalar that is not below the order of the group."""
        signature = key.sign(text)
        scalar = int.from_bytes(signature[32:], "little") + L
        return signature[:32] + scalar.to_bytes(32, "little")

    raw = key.public_key().public_bytes_raw()
    return {
        "kind": "OKP",
        "jwk": {"kty": "OKP", "crv": "Ed25519", "x": encoded(raw)},
        "pem": pem(key.public_key()),
        "good": [token("EdDSA", key.sign)],
        "bad": [token("EdDSA", beyond)],
    }


def x_of(y):
    """The coordinate x of a point with this y, if there is one (RFC 8032, 5.1.3)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return x if (x * x - square) % P == 0 else None


def add(one, other):
    (x, y), (v, w) = one, other
    product = D * x * y * v * w % P
    return (
        (x * w + v * y) * pow(1 + product, -1, P) % P,
        (y * w + x * v) * pow(1 - product, -1, P) % P,
    )


def order(y):
    """The order of the points with this y, if it is 1, 2, 4 or 8."""
    point = (x_of(y), y)
    for order in [1, 2, 4, 8]:
        if point == (0, 1):
            return order
        point = add(point, point)
    return None


def points_of_small_order():
    """The values of y: those of the multiples of a point of order 8."""
    y = 2
    while True:
        y += 1
        if (x := x_of(y)) is None:
            continue
        # The order of the whole group is 8 L.
        point, multiple, power = (0, 1), (x, y), L
        while power:
            if power & 1:
                point = add(point, multiple)
            multiple, power = add(multiple, multiple), power >> 1
        if order(point[1]) == 8:
            break
    values, multiple = set(), (0, 1)
    for _ in range(8):
        values.add(multiple[1])
        multiple = add(multiple, point)
    return sorted(values)


def unusable_ed25519_keys():
    """Keys of small order, in each encoding, and others in an encoding that is not canonical."""
    small = points_of_small_order()
    # A number of 255 bits may be above the prime.
    beyond = [y for y in range(P, 2**255) if x_of(y - P) is not None]
    for y in small + beyond:
        for sign in (0, 1):
            key = (y | sign << 255).to_bytes(32, "little")
            # The neutral element, and zero: right if the hash is a multiple of the order.
            signature = (1).to_bytes(32, "little") + bytes(32)
            tokens, count = [], 0
            while y % P in small and len(tokens) < 2:
                text = message("EdDSA", jti=str(count))
                digest = hashlib.sha512(signature[:32] + key + text.encode()).digest()
                if int.from_bytes(digest, "little") % L % order(y % P) == 0:
                    tokens.append(f"{text}.{encoded(signature)}")
                count += 1
            jwk = {"kty": "OKP", "crv": "Ed25519", "x": encoded(key)}
            prefix = bytes.fromhex("302a300506032b6570032100")
            body = base64.b64encode(prefix + key).decode()
            text = f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n"
            yield {"kind": "small", "jwk": jwk, "pem": text, "good": [], "bad": tokens}


def main():
    sizes = [1024, 2040, 2047, 2048, 2049, 2050, 2055, 2056, 3072, 4095, 4096, 4097, 4104, 8192]
    keys = [rsa_key(bits, 65537) for bits in sizes]
    exponents = [3, 17, 2**32 + 15, 2**33 - 1, 2**33 + 1, 2**64 + 13]
    keys += [rsa_key(2048, exponent) for exponent in exponents]
    keys += [ec_key(ec.SECP256R1(), "P-256", "ES256", hashes.SHA256()) for _ in range(2)]
    keys += [ec_key(ec.SECP384R1(), "P-384", "ES384", hashes.SHA384()) for _ in range(2)]
    keys += [ed25519_key(), *unusable_ed25519_keys()]
    file = pathlib.Path(__file__).with_name("keys.json")
    lines = ",\n".join(json.dumps(key, separators=(",", ":")) for key in keys)
    file.write_text(f"[\n{lines}\n]\n")


main()
