//! The options of a model: `register:initial=0`, `semaphore:permits=2`, `priority-queue:order=min`.
//!
//! A model takes its options out one by one; what is left at the end was not one of its options.

use crate::catalog::did_you_mean;
use crate::heap::{SUMMAND, nearest};
use crate::info::ModelInfo;
use linpoint_history::{ValueId, Values};

/// Options by name, their values interned in the history's table.
#[derive(Clone, Debug, Default)]
pub struct Options {
    entries: Vec<(String, ValueId)>,
}

impl Options {
    /// Options from names and values.
    pub fn new(entries: Vec<(String, ValueId)>) -> Self {
        Options { entries }
    }

    /// Takes the option `name` out; what no model takes is an error ([`Options::finish`]).
    pub fn take(&mut self, name: &str) -> Option<ValueId> {
        let place = self.entries.iter().position(|(known, _)| known == name)?;
        Some(self.entries.remove(place).1)
    }

    /// Takes a whole number of at least `least`; it has at most 28 digits, as the amounts that operations name.
    pub fn take_whole(&mut self, name: &str, values: &Values, least: Option<i128>) -> Result<Option<i128>, String> {
        let Some(id) = self.take(name) else { return Ok(None) };
        let bound = match (nearest(values, id), least) {
            (Some(number), Some(least)) if number < least => format!(" of at least {least}"),
            (Some(number), _) if (1 - SUMMAND..SUMMAND).contains(&number) => return Ok(Some(number)),
            (Some(_), _) => " of at most 28 digits".to_owned(),
            (None, _) => String::new(),
        };
        Err(format!("option {name} needs a whole number{bound}, but is {}", values.show(id)))
    }

    /// Takes true or false.
    pub fn take_bool(&mut self, name: &str, values: &Values) -> Result<Option<bool>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(ValueId::TRUE) => Ok(Some(true)),
            Some(ValueId::FALSE) => Ok(Some(false)),
            Some(id) => Err(format!("option {name} needs true or false, but is {}", values.show(id))),
        }
    }

    /// Takes a list; an option that is not given is the empty list.
    pub fn take_list(&mut self, name: &str, values: &Values) -> Result<Vec<ValueId>, String> {
        let Some(id) = self.take(name) else { return Ok(Vec::new()) };
        let list = values.as_list(id).map(<[ValueId]>::to_vec);
        list.ok_or_else(|| format!("option {name} needs a list, but is {}", values.show(id)))
    }

    /// Takes a text.
    pub fn take_text<'a>(&mut self, name: &str, values: &'a Values) -> Result<Option<&'a str>, String> {
        let Some(id) = self.take(name) else { return Ok(None) };
        let text = values.as_text(id).map(Some);
        text.ok_or_else(|| format!("option {name} needs a text, but is {}", values.show(id)))
    }

    /// Takes one of several words; the first of them when the option is not given.
    pub fn take_word(&mut self, name: &str, words: &[&'static str], values: &Values) -> Result<&'static str, String> {
        let Some(id) = self.take(name) else { return Ok(words[0]) };
        let word = words.iter().find(|&&word| values.as_text(id) == Some(word)).copied();
        word.ok_or_else(|| format!("option {name} needs {}, but is {}", words.join(" or "), values.show(id)))
    }

    /// Complains about options that the model does not have, or that were given twice.
    pub fn finish(self, model: &ModelInfo) -> Result<(), String> {
        let Some((name, _)) = self.entries.first() else { return Ok(()) };
        let names: Vec<&str> = model.options.iter().map(|option| option.name).collect();
        if names.contains(&name.as_str()) {
            return Err(format!("option {name} of {} is given twice", model.name));
        }
        if names.is_empty() {
            return Err(format!("{} has no option {name:?}; it has no options", model.name));
        }
        Err(format!("{} has no option {name:?}{}", model.name, did_you_mean(name, &names, "options")))
    }
}
