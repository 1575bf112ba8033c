//! What is wrong with an input, and where.

use std::fmt;

/// A file that cannot be read: file, line, column and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The name of the source, as the user gave it.
    pub file: String,
    /// 1-based line, 0 when the complaint is about the whole file.
    pub line: usize,
    /// 1-based column in bytes, 0 when the complaint is about the whole line.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ReadError {}

/// Operations that do not make a history: which one, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The position of the operation among those given, from 0.
    pub operation: usize,
    /// The line it came from, 0 if none.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.operation, self.message)
    }
}

impl std::error::Error for Complaint {}
