use std::time::{Duration, Instant};

use doorward::{form::RequestForm, secrecy::SecretString, token_endpoint::TokenError};

#[derive(RequestForm)]
#[request_form(grant_type = "urn:ietf:params:oauth:grant-type:device_code")]
struct DeviceCodeGrant {
    device_code: SecretString,
}

enum Decision {
    Pending,
    Refused,
    Allowed { user: String },
}

/// By the hash of the device code, beside its client, its scopes and the user code.
struct Device {
    decision: Decision, // of the user
    ends: Instant,
    interval: Duration,
    next: Instant,
}

impl Device {
    /// Compare the client first, and remove an allowed device.
    fn poll(&mut self) -> Result<String, TokenError> {
        let now = Instant::now();
        if self.ends <= now {
            return Err(TokenError::expired_token("the codes have expired; ask for new ones"));
        }
        match &self.decision {
            Decision::Allowed { user } => Ok(user.clone()),
            Decision::Refused => Err(TokenError::access_denied("the user has refused")),
            Decision::Pending => {
                let is_early = now < self.next;
                if is_early {
                    self.interval += Duration::from_secs(5); // RFC 8628, 3.5
                }
                self.next = now + self.interval;
                Err(if is_early {
                    TokenError::slow_down()
                } else {
                    TokenError::authorization_pending()
                })
            }
        }
    }
}

#[test]
fn a_device_waits_for_its_user() {
    use doorward::secrecy::ExposeSecret;

    let body = b"grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=a";
    assert_eq!(DeviceCodeGrant::decode(body).unwrap().device_code.expose_secret(), "a");

    let (now, five) = (Instant::now(), Duration::from_secs(5));
    let mut device =
        Device { decision: Decision::Pending, ends: now + 60 * five, interval: five, next: now };
    let poll = |device: &mut Device| device.poll().map_err(|error| error.code());
    assert_eq!(poll(&mut device), Err("authorization_pending"));
    assert_eq!(poll(&mut device), Err("slow_down"));
    assert_eq!(device.interval, 2 * five);
    device.decision = Decision::Refused;
    assert_eq!(poll(&mut device), Err("access_denied"));
    device.decision = Decision::Allowed { user: "johndoe".to_owned() };
    assert_eq!(poll(&mut device), Ok("johndoe".to_owned()));
    device.ends = now;
    assert_eq!(poll(&mut device), Err("expired_token"));
}
