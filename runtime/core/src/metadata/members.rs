//! The members of a metadata document, as it is set up, written and sent.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ALLOW, CACHE_CONTROL, CONTENT_TYPE,
};
use http::{HeaderValue, Response, StatusCode};

use crate::syntax::json::ObjectWriter;

/// The members of a metadata document, and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(unreachable_pub, reason = "in the signature of some adapters")]
pub struct Members {
    well_known: &'static str,
    path: String,
    /// In the order of the document.
    members: Vec<(&'static str, Member)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    Text(String),
    /// It is left out if it is empty.
    List(Vec<String>),
    /// It is there even if it is empty.
    RequiredList(Vec<String>),
    Flag(bool),
}

impl Members {
    pub(crate) const fn new(well_known: &'static str, path: String) -> Self {
        Self { well_known, path, members: Vec::new() }
    }

    /// Sets a member.
    pub(crate) fn with(mut self, name: &'static str, member: Member) -> Self {
        match self.members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, set)) => *set = member,
            None => self.members.push((name, member)),
        }
        self
    }

    /// Returns the path of every such document, below which this one is.
    #[allow(dead_code, reason = "used by some of the adapters")]
    pub(crate) const fn well_known(&self) -> &'static str {
        self.well_known
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn to_json(&self) -> String {
        let members = self.members.iter();
        let object = members.fold(ObjectWriter::new(), |object, (name, member)| match member {
            Member::Text(text) => object.text(name, text),
            Member::List(texts) if texts.is_empty() => object,
            Member::List(texts) | Member::RequiredList(texts) => object.list(name, texts),
            Member::Flag(flag) => object.flag(name, *flag),
        });
        object.finish()
    }

    /// Returns the response to a request, or `None` if its path is another one.
    pub(crate) fn respond<B: From<String>>(&self, method: &str, path: &str) -> Option<Response<B>> {
        (path == self.path).then(|| self.response(method))
    }

    /// Returns the response to a request with this method. Every site may read it, since it is for
    /// every client, and keep it for an hour.
    pub(crate) fn response<B: From<String>>(&self, method: &str) -> Response<B> {
        let (status, body) = match method {
            "GET" | "HEAD" => (StatusCode::OK, self.to_json()),
            "OPTIONS" => (StatusCode::NO_CONTENT, String::new()),
            _ => (StatusCode::METHOD_NOT_ALLOWED, String::new()),
        };
        let mut response = Response::new(B::from(body));
        *response.status_mut() = status;
        let further: &[_] = match status {
            StatusCode::OK => {
                &[(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=3600")]
            }
            // MCP clients send a custom header, so browsers send a preflight first.
            StatusCode::NO_CONTENT => &[
                (ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
                (ACCESS_CONTROL_ALLOW_HEADERS, "*"),
                (ACCESS_CONTROL_MAX_AGE, "3600"),
            ],
            _ => &[(ALLOW, "GET, HEAD, OPTIONS")],
        };
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        for (name, value) in further {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// Defines the methods of a document, and one for each member that a service can set.
macro_rules! document {
    (
        $(#[$path:meta])* $document:ident
        $($(#[$doc:meta])* $name:ident($member:literal): $kind:ident($($parameter:tt)*) $value:expr;)*
    ) => {
        impl $document {
            $(#[$path])*
            #[must_use]
            pub fn path(&self) -> &str {
                self.0.path()
            }

            /// Returns the document as JSON.
            #[must_use]
            pub fn to_json(&self) -> String {
                self.0.to_json()
            }

            /// Returns the response to a request with this method and path, or `None` if the path
            /// is another one.
            #[must_use]
            pub fn respond<B: From<String>>(&self, method: &str, path: &str) -> Option<::http::Response<B>> {
                self.0.respond(method, path)
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self, $($parameter)*) -> Self {
                    Self(self.0.with($member, Member::$kind($value)))
                }
            )*
        }

        impl $crate::metadata::Metadata for $document {
            fn members(&self) -> &Members {
                &self.0
            }
        }
    };
}

pub(crate) use document;

pub(crate) fn texts(texts: impl IntoIterator<Item: Into<String>>) -> Vec<String> {
    texts.into_iter().map(Into::into).collect()
}
