//! Reading from what may keep us waiting, a pipe or a terminal, without being deaf to Ctrl-C and the clock.
//!
//! A thread of its own waits for the bytes and knows nothing of Python; if the work is told to stop meanwhile, it is left behind.

use linpoint_base::Control;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often the [`Control`] is looked at while there are no bytes.
const GLANCE: Duration = Duration::from_millis(40);
/// Bytes read at once.
const CHUNK: usize = 1 << 16;

/// A reader that fails with [`io::ErrorKind::TimedOut`] when the control says stop.
pub struct Patient<'c> {
    control: &'c Control,
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    at: usize,
}

impl<'c> Patient<'c> {
    /// Starts to read; `open` runs in the thread that reads, for opening a pipe waits, too.
    pub fn new<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        control: &'c Control,
    ) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(4);
        std::thread::Builder::new().name("linpoint reader".into()).spawn(move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => return drop(sender.send(Err(error))),
            };
            loop {
                let mut chunk = vec![0; CHUNK];
                let got = input.read(&mut chunk);
                let over = !matches!(got, Ok(1..));
                let got = got.map(|length| {
                    chunk.truncate(length);
                    chunk
                });
                if sender.send(got).is_err() || over {
                    return;
                }
            }
        })?;
        Ok(Patient { control, chunks, chunk: Vec::new(), at: 0 })
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.chunk.len() {
            match self.chunks.recv_timeout(GLANCE) {
                Ok(chunk) => (self.chunk, self.at) = (chunk?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.control.expired().is_some() => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.chunk.is_empty() {
                return Ok(0);
            }
        }
        let length = buffer.len().min(self.chunk.len() - self.at);
        buffer[..length].copy_from_slice(&self.chunk[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
