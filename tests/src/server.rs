//! A server in its own process.

use std::io::{BufRead, BufReader, Error};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

/// A running server, killed when this value is dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    address: SocketAddr,
    /// Kept open, because a server that prints to a closed pipe ends.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server with these arguments and `--listen ADDR`. The server must print its address
    /// in its first line.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started or its first line has no address.
    pub fn start(program: &str, arguments: &[&str]) -> Result<Self, Error> {
        Self::start_with(program, arguments, Stdio::inherit())
    }

    /// Starts a server, as [`start`](Self::start) does, whose errors can be read when it has ended.
    ///
    /// # Errors
    ///
    /// Same as [`start`](Self::start).
    pub fn start_heard(
        program: &str,
        arguments: &[&str],
    ) -> Result<(Self, JoinHandle<Vec<String>>), Error> {
        let mut server = Self::start_with(program, arguments, Stdio::piped())?;
        let errors = server.process.stderr.take().ok_or_else(|| Error::other("no errors"))?;
        // A server that prints to a full pipe waits.
        let errors =
            thread::spawn(|| BufReader::new(errors).lines().map_while(Result::ok).collect());
        Ok((server, errors))
    }

    fn start_with(program: &str, arguments: &[&str], errors: Stdio) -> Result<Self, Error> {
        let mut process = Command::new(program)
            .args(arguments)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()?;
        let output = process.stdout.take().ok_or_else(|| Error::other("no output"))?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line.trim().rsplit("http://").next().unwrap_or_default();
        let address = address.parse().map_err(Error::other)?;
        Ok(Self { process, address, _output: output })
    }

    /// Returns the peak memory of the server in bytes, or `None` if the system does not report it.
    #[must_use]
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: u64 = peak.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// Returns the address of the server.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may already have ended, which is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
