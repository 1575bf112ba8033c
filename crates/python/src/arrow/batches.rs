//! The batches of a stream, one after the other; of a long one the next is made while one is read.
//!
//! A Parquet file is decoded batch by batch as its stream is asked. In a thread of its own that is done by another core, two batches
//! ahead at most. A short stream, such as most data frames are, has no thread.

use super::{ArrowArray, ArrowArrayStream};
use std::ffi::CStr;
use std::sync::mpsc::sync_channel;

/// A stream whose first batch has so many rows is long.
const LONG: i64 = 1 << 14;

/// Takes every batch; an error of the stream is words, and so is what `broken` makes of them.
pub fn each<E: Send>(
    mut stream: ArrowArrayStream,
    broken: impl Fn(String) -> E,
    mut take: impl FnMut(&ArrowArray) -> Result<(), E>,
) -> Result<(), E> {
    let Some(first) = next(&mut stream).map_err(&broken)? else { return Ok(()) };
    if first.length < LONG {
        take(&first)?;
        while let Some(batch) = next(&mut stream).map_err(&broken)? {
            take(&batch)?;
        }
        return Ok(());
    }
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(1);
        scope.spawn(move || {
            let mut stream = stream;
            while let batch @ (Ok(Some(_)) | Err(_)) = next(&mut stream) {
                let failed = batch.is_err();
                if send.send(batch).is_err() || failed {
                    break; // nobody wants more, or there is no more
                }
            }
        });
        take(&first)?;
        drop(first);
        receive.into_iter().try_for_each(|batch| match batch.map_err(&broken)? {
            Some(batch) => take(&batch),
            None => Ok(()),
        })
    })
}

/// The next batch; None at the end.
fn next(stream: &mut ArrowArrayStream) -> Result<Option<ArrowArray>, String> {
    let Some(get_next) = stream.get_next else { return Err("the stream is broken".to_owned()) };
    let mut batch = ArrowArray::empty();
    // SAFETY: the stream is alive, and fills in an empty array.
    if unsafe { get_next(stream, &mut batch) } != 0 {
        return Err(last_error(stream));
    }
    Ok(batch.release.is_some().then_some(batch))
}

/// What the stream says of its last failure.
pub fn last_error(stream: &mut ArrowArrayStream) -> String {
    let Some(get) = stream.get_last_error else { return "no reason is given".to_owned() };
    // SAFETY: the stream is alive; the text, if there is one, ends with a zero and lives until the stream is used again.
    unsafe {
        let text = get(stream);
        if text.is_null() {
            "no reason is given".to_owned()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }
}
