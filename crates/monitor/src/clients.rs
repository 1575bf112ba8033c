//! What are the processes of a log doing?
//!
//! Remembered are those that have an operation open, and those that crashed, no others. The crashed become ever more, so they take little:
//! a name and a line. O(1) each.

use crate::monitor::Token;
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// What a process is doing, and the line that brought it there.
#[derive(Clone, Copy, Debug)]
pub enum Client {
    Open(Token, u32),
    Crashed(u32),
}

impl Client {
    pub fn line(self) -> u32 {
        match self {
            Client::Open(_, line) | Client::Crashed(line) => line,
        }
    }
}

/// All that are remembered.
#[derive(Default)]
pub struct Clients {
    open: HashMap<ValueId, (Token, u32), Hashing>,
    crashed: HashMap<ValueId, u32, Hashing>,
}

impl Clients {
    pub fn get(&self, process: ValueId) -> Option<Client> {
        match self.open.get(&process) {
            Some(&(token, line)) => Some(Client::Open(token, line)),
            None if self.crashed.is_empty() => None,
            None => self.crashed.get(&process).map(|&line| Client::Crashed(line)),
        }
    }

    /// What the process is doing from now on.
    pub fn set(&mut self, process: ValueId, client: Client) {
        self.remove(process);
        match client {
            Client::Open(token, line) => _ = self.open.insert(process, (token, line)),
            Client::Crashed(line) => _ = self.crashed.insert(process, line),
        }
    }

    /// It does nothing.
    pub fn remove(&mut self, process: ValueId) {
        if self.open.remove(&process).is_none() && !self.crashed.is_empty() {
            self.crashed.remove(&process);
        }
    }

    /// All of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (ValueId, Client)> {
        let open = self.open.iter().map(|(&process, &(token, line))| (process, Client::Open(token, line)));
        open.chain(self.crashed.iter().map(|(&process, &line)| (process, Client::Crashed(line))))
    }

    /// Names them anew.
    pub fn rename(&mut self, rename: impl Fn(&mut ValueId)) {
        let old = std::mem::take(self);
        *self = old.iter().map(|(mut process, client)| (rename(&mut process), (process, client)).1).collect();
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.open.allocation_size() + self.crashed.allocation_size()
    }
}

impl FromIterator<(ValueId, Client)> for Clients {
    fn from_iter<I: IntoIterator<Item = (ValueId, Client)>>(all: I) -> Clients {
        let mut clients = Clients::default();
        all.into_iter().for_each(|(process, client)| clients.set(process, client));
        clients
    }
}
