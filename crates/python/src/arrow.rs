//! Data frames: the Arrow C stream interface, by which pandas, polars, pyarrow and others hand over their tables.
//!
//! Three structs of C (<https://arrow.apache.org/docs/format/CDataInterface.html>, <…/CStreamInterface.html>) in a capsule of Python.
//! Whoever makes a struct sets `release`; whoever has it calls that once. So no library is needed on either side: the crates
//! arrow and parquet would take 160 s of CPU time to build for what these files do.

mod batches;
pub mod export;
pub mod import;

use std::ffi::{c_char, c_int, c_void};

/// The name that the capsule of a stream has.
pub const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// The type of a column, or of a table: a struct whose children are the columns.
#[repr(C)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

/// Some rows.
#[repr(C)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

/// Where the rows come from, some at a time.
#[repr(C)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

macro_rules! released {
    ($name:ident) => {
        impl $name {
            /// A struct that holds nothing, to be filled in.
            pub fn empty() -> Self {
                // SAFETY: numbers, raw pointers and options of functions, all of which may be zero.
                unsafe { std::mem::zeroed() }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it was not released yet, for that sets `release` to nothing.
                    unsafe { release(self) }
                }
            }
        }
    };
}

released!(ArrowSchema);
released!(ArrowArray);
released!(ArrowArrayStream);

// SAFETY: the interface says that the structs may be moved, also to another thread, as long as one thread uses them at a time.
unsafe impl Send for ArrowArrayStream {}
// SAFETY: as above, and its rows are never changed.
unsafe impl Send for ArrowArray {}
