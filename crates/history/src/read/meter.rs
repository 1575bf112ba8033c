//! Must the reader stop? Time, memory and Ctrl-C are looked at while a file is read, too.
//!
//! A reader ticks once per value ([`super::cursor::Cursor::tick`]) and looks at the [`Control`] every few thousand ticks, so a tick costs one
//! addition. What is counted is what the history holds: the text if it was loaded or unpacked, the values, the columns.

use super::cursor::LOOK;
use crate::Builder;
use linpoint_base::{Account, Cause, Control};
use std::cell::{Cell, RefCell};

/// What a reader asks while it reads.
pub(super) trait Watch {
    /// Notes what the columns hold.
    fn hold(&self, builder: &Builder);

    /// Must the reader stop, with so many bytes of values? It then fails, and the cause is kept.
    fn stops(&self, values: usize) -> bool;
}

/// Bytes that sorting the events of one operation takes, for a moment.
const SORTING: usize = 150;

/// One reader's account.
pub(super) struct Meter<'c> {
    control: &'c Control,
    account: RefCell<Account<'c>>,
    /// Bytes of the text.
    text: Cell<usize>,
    /// Bytes of the columns, sorting included.
    columns: Cell<usize>,
    stopped: RefCell<Option<Cause>>,
}

impl<'c> Meter<'c> {
    /// An account that holds nothing yet.
    pub fn new(control: &'c Control) -> Self {
        let account = RefCell::new(Account::alone(control));
        Meter { control, account, text: Cell::new(0), columns: Cell::new(0), stopped: RefCell::new(None) }
    }

    /// The account of another thread under the same budget.
    pub fn beside(&self) -> Self {
        Meter::new(self.control)
    }

    /// Notes that a text of so many bytes is held; the cause to stop, if there is one.
    pub fn load(&self, bytes: usize) -> Result<(), Cause> {
        self.text.set(bytes);
        if self.stops(0) { Err(self.cause()) } else { Ok(()) }
    }

    /// Must it stop, with so many bytes of values? A look between two others.
    pub fn expires(&self, values: usize) -> bool {
        let held = self.text.get() + self.columns.get() + values;
        let cause = self.account.borrow_mut().poll(held, 0);
        let stops = cause.is_some();
        if stops {
            *self.stopped.borrow_mut() = cause;
        }
        stops
    }

    /// Why it had to stop, if it had.
    pub fn stopped(&self) -> Option<Cause> {
        self.stopped.borrow().clone()
    }

    /// Why it had to stop; asked when it had.
    pub fn cause(&self) -> Cause {
        self.stopped().unwrap_or(Cause::Interrupted)
    }
}

impl Watch for Meter<'_> {
    fn hold(&self, builder: &Builder) {
        self.columns.set(builder.bytes() + SORTING * builder.len());
    }

    fn stops(&self, values: usize) -> bool {
        self.account.borrow_mut().configurations += u64::from(LOOK); // so much work since the last look
        self.expires(values)
    }
}
