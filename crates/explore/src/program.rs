//! What does the explorer run? A program of small instructions, checked before anything runs it.
//!
//! `python/linpoint/language/ir.py` says what each instruction means. What comes from there is not trusted: registers, places, jumps
//! and constants are checked here, so the machine can index without looking again.

use crate::value::{FIRST_NODE, LEAST, SYMBOLS, ZERO};

/// Registers that a method may have.
pub const MOST_REGISTERS: usize = 64;
/// Fields that a node may have.
pub const MOST_FIELDS: usize = 15;
/// Shared cells that a program may have.
pub const MOST_CELLS: usize = 256;
/// Kinds of nodes that a program may have; one bit of a kind says that the node was freed.
pub const MOST_TYPES: usize = 62;
/// Instructions that all methods may have together: a position takes 14 bits.
pub const MOST_INSTRUCTIONS: usize = 16_000;
/// Methods that a program may have.
pub const MOST_METHODS: usize = 64;

/// An instruction as it arrives: its number, its operands, whether it is glued to the one before.
pub type RawInstruction = (u8, Vec<i64>, bool);
/// A method as it arrives: parameters, registers, instructions.
pub type RawMethod = (usize, usize, Vec<RawInstruction>);
/// A program as it arrives: shared cells, symbols, (fields, pool) of each type, methods; the initial one is the first.
pub type RawProgram = (usize, usize, Vec<(usize, usize)>, Vec<RawMethod>);

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register of the running method.
    Register(u8),
    /// A constant.
    Constant(u8),
}

/// Which cell an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The node whose field it is; None is a shared cell.
    pub node: Option<Operand>,
    /// The first cell or field.
    pub first: u8,
    /// How many there are to choose from.
    pub length: u8,
    /// Which of them.
    pub index: Operand,
}

/// One place of a compare-and-swap.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// The cell.
    pub place: Place,
    /// What it must hold.
    pub old: Operand,
    /// What it then gets.
    pub new: Operand,
}

/// What numbers are combined by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Add,
    Subtract,
    Modulo,
}

/// What an instruction does; positions are those of the whole program.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "ir.py says what each one means")]
pub enum Action {
    Move { to: u8, from: Operand },
    Binary { to: u8, by: Binary, one: Operand, two: Operand },
    Not { to: u8, from: Operand },
    Is { to: u8, from: Operand, kind: u8 },
    Me { to: u8 },
    Choose { to: u8, among: u8 },
    Jump { target: u16 },
    Branch { on: Operand, target: u16 },
    Return { value: Operand },
    Assert { holds: Operand },
    Load { to: u8, place: Place },
    Store { place: Place, value: Operand },
    CompareSwap { to: u8, exchanges: Box<[Exchange]> },
    ExchangeIf { to: u8, exchange: Exchange },
    Swap { to: u8, place: Place, value: Operand },
    FetchAdd { to: u8, place: Place, value: Operand },
    Lock { place: Place },
    Unlock { place: Place },
    New { to: u8, kind: u8, fields: Box<[Operand]> },
    Free { node: Operand },
    Begin,
    Await { holds: Operand },
}

/// Can another thread notice that an instruction runs, or notice when? (A choice is nobody else's business, but it decides something.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Never: it touches nothing that another thread writes or reads.
    Private,
    /// Only if another thread can reach the node it touches.
    Node,
    /// Always.
    Shared,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub action: Action,
    /// No other thread runs between the instruction before and this one.
    pub glued: bool,
    /// Who can notice it.
    pub access: Access,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// How many parameters; they are the first registers.
    pub parameters: usize,
    /// How many registers.
    pub registers: usize,
    /// The position of its first instruction.
    pub start: u16,
    /// The position after its last one.
    pub end: u16,
}

/// A kind of node.
#[derive(Clone, Copy, Debug)]
pub struct NodeType {
    /// How many fields.
    pub fields: usize,
    /// How many may be in use at once; 0 is no limit.
    pub pool: usize,
}

/// A program that may be run.
#[derive(Clone, Debug)]
pub struct Program {
    /// How many shared cells.
    pub cells: usize,
    /// How many symbols.
    pub symbols: usize,
    /// The kinds of nodes.
    pub types: Vec<NodeType>,
    /// The methods; the first one runs alone before all threads.
    pub methods: Vec<Method>,
    /// All instructions, method after method.
    pub code: Vec<Instruction>,
}

impl Program {
    /// Checks what arrived. The error says what is wrong with it.
    pub fn new(raw: RawProgram) -> Result<Self, String> {
        let (cells, symbols, types, methods) = raw;
        let within = |what: &str, count: usize, most: usize| {
            if count > most { Err(format!("{count} {what}; at most {most} are possible")) } else { Ok(()) }
        };
        within("shared cells", cells, MOST_CELLS)?;
        within("symbols", symbols, SYMBOLS)?;
        within("kinds of nodes", types.len(), MOST_TYPES)?;
        within("methods", methods.len(), MOST_METHODS)?;
        within("instructions", methods.iter().map(|method| method.2.len()).sum(), MOST_INSTRUCTIONS)?;
        types.iter().try_for_each(|&(fields, _)| within("fields of a node", fields, MOST_FIELDS))?;
        if methods.first().is_none_or(|initial| initial.0 != 0) {
            return Err("the initial method is missing or has parameters".into());
        }
        let types: Vec<NodeType> = types.into_iter().map(|(fields, pool)| NodeType { fields, pool }).collect();
        let mut program = Program { cells, symbols, types, methods: Vec::new(), code: Vec::new() };
        for (parameters, registers, instructions) in methods {
            within("registers of a method", registers, MOST_REGISTERS)?;
            if parameters > registers {
                return Err("a parameter without a register".into());
            }
            let start = program.code.len() as u16;
            let end = start + instructions.len() as u16;
            let method = Method { parameters, registers, start, end };
            for (number, operands, glued) in instructions {
                let mut read = Reader { program: &program, method: &method, operands: operands.iter() };
                let action =
                    read.action(number).map_err(|error| format!("instruction {number} {operands:?}: {error}"))?;
                if read.operands.next().is_some() {
                    return Err(format!("instruction {number} {operands:?} has too many operands"));
                }
                program.code.push(Instruction { action, glued, access: Access::Private });
            }
            let ends = program.code[start as usize..].last().map(|last| &last.action);
            if !matches!(ends, Some(Action::Return { .. } | Action::Jump { .. })) {
                return Err("a method goes on after its last instruction".into());
            }
            program.methods.push(method);
        }
        program.classify();
        Ok(program)
    }

    /// Decides which instructions other threads can notice. What is written by the initial method alone never changes afterwards: reading
    /// it is private. Where nodes are freed, every field changes when an address is given out again.
    fn classify(&mut self) {
        let running = self.methods[0].end as usize;
        let (mut cells, mut fields) = ([false; MOST_CELLS], [false; MOST_FIELDS]);
        let mut frees = false;
        for instruction in &self.code[running..] {
            frees |= matches!(instruction.action, Action::Free { .. });
            for place in written(&instruction.action) {
                let range = usize::from(place.first)..usize::from(place.first) + usize::from(place.length);
                let changes = if place.node.is_some() { &mut fields[range] } else { &mut cells[range] };
                changes.fill(true);
            }
        }
        if frees {
            fields.fill(true);
        }
        let pools = self.types.iter().any(|kind| kind.pool > 0);
        for instruction in &mut self.code {
            let constant = |place: &Place| {
                let range = usize::from(place.first)..usize::from(place.first) + usize::from(place.length);
                let changes = if place.node.is_some() { &fields[range] } else { &cells[range] };
                !changes.contains(&true)
            };
            let of = |place: &Place| if place.node.is_some() { Access::Node } else { Access::Shared };
            instruction.access = match &instruction.action {
                Action::Load { place, .. } if constant(place) => Access::Private,
                Action::Load { place, .. } => of(place),
                Action::New { .. } if frees || pools => Access::Shared,
                Action::Choose { .. } | Action::Free { .. } | Action::Begin | Action::Await { .. } => Access::Shared,
                action => written(action).map(of).fold(Access::Private, |most, one| match (most, one) {
                    (Access::Shared, _) | (_, Access::Shared) => Access::Shared,
                    (Access::Node, _) | (_, Access::Node) => Access::Node,
                    _ => Access::Private,
                }),
            };
        }
    }

    /// May it give out an address again?
    pub fn frees(&self) -> bool {
        self.code.iter().any(|instruction| matches!(instruction.action, Action::Free { .. }))
    }

    /// The method that an instruction belongs to.
    pub fn method_at(&self, position: u16) -> usize {
        self.methods.partition_point(|method| method.end <= position)
    }
}

/// The places that an action may write.
pub(crate) fn written(action: &Action) -> impl Iterator<Item = &Place> {
    let (one, many): (Option<&Place>, &[Exchange]) = match action {
        Action::Store { place, .. }
        | Action::Swap { place, .. }
        | Action::FetchAdd { place, .. }
        | Action::Lock { place }
        | Action::Unlock { place } => (Some(place), &[]),
        Action::ExchangeIf { exchange, .. } => (Some(&exchange.place), &[]),
        Action::CompareSwap { exchanges, .. } => (None, exchanges),
        _ => (None, &[]),
    };
    one.into_iter().chain(many.iter().map(|exchange| &exchange.place))
}

struct Reader<'a> {
    program: &'a Program,
    method: &'a Method,
    operands: std::slice::Iter<'a, i64>,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<i64, String> {
        self.operands.next().copied().ok_or_else(|| "an operand is missing".into())
    }

    fn below(&mut self, what: &str, limit: usize) -> Result<usize, String> {
        let given = self.next()?;
        usize::try_from(given).ok().filter(|&given| given < limit).ok_or_else(|| format!("there is no {what} {given}"))
    }

    fn register(&mut self) -> Result<u8, String> {
        Ok(self.below("register", self.method.registers)? as u8)
    }

    fn operand(&mut self) -> Result<Operand, String> {
        let given = *self.operands.as_slice().first().ok_or("an operand is missing")?;
        if given >= 0 {
            return self.register().map(Operand::Register);
        }
        self.operands.next();
        let byte = -1 - given;
        let known = byte < 3 + self.program.symbols as i64 || byte >= i64::from(LEAST);
        if !known || byte >= i64::from(FIRST_NODE) {
            return Err(format!("there is no constant {byte}"));
        }
        Ok(Operand::Constant(byte as u8))
    }

    fn place(&mut self) -> Result<Place, String> {
        let of_node = self.below("kind of place", 2)? == 1;
        let node = if of_node { Some(self.operand()?) } else { self.next().map(|_| None)? };
        let widest = self.program.types.iter().map(|kind| kind.fields).max().unwrap_or(0);
        let limit = if of_node { widest } else { self.program.cells };
        let first = self.below("cell", limit)?;
        let length = self.below("length", limit - first + 1)?;
        let index = self.operand()?;
        let inside = length > 0 && (length > 1 || index == Operand::Constant(ZERO));
        if !inside || length > usize::from(u8::MAX) {
            return Err("a place outside of its array".into());
        }
        Ok(Place { node, first: first as u8, length: length as u8, index })
    }

    fn exchange(&mut self) -> Result<Exchange, String> {
        Ok(Exchange { place: self.place()?, old: self.operand()?, new: self.operand()? })
    }

    fn target(&mut self) -> Result<u16, String> {
        let size = usize::from(self.method.end - self.method.start);
        Ok(self.method.start + self.below("instruction", size)? as u16)
    }

    fn kind(&mut self) -> Result<u8, String> {
        Ok(self.below("kind of node", self.program.types.len())? as u8)
    }

    fn binary(&mut self, by: Binary) -> Result<Action, String> {
        Ok(Action::Binary { to: self.register()?, by, one: self.operand()?, two: self.operand()? })
    }

    fn action(&mut self, number: u8) -> Result<Action, String> {
        Ok(match number {
            0 => Action::Move { to: self.register()?, from: self.operand()? },
            1 => self.binary(Binary::Equal)?,
            2 => self.binary(Binary::Unequal)?,
            3 => self.binary(Binary::Less)?,
            4 => self.binary(Binary::LessOrEqual)?,
            5 => self.binary(Binary::Add)?,
            6 => self.binary(Binary::Subtract)?,
            7 => self.binary(Binary::Modulo)?,
            8 => Action::Not { to: self.register()?, from: self.operand()? },
            9 => Action::Is { to: self.register()?, from: self.operand()?, kind: self.kind()? },
            10 => Action::Me { to: self.register()? },
            11 => match (self.register()?, self.below("number of choices", 100)?) {
                (_, 0) => return Err("a choice among nothing".into()),
                (to, among) => Action::Choose { to, among: among as u8 },
            },
            12 => Action::Jump { target: self.target()? },
            13 => Action::Branch { on: self.operand()?, target: self.target()? },
            14 => Action::Return { value: self.operand()? },
            15 => Action::Assert { holds: self.operand()? },
            16 => Action::Load { to: self.register()?, place: self.place()? },
            17 => Action::Store { place: self.place()?, value: self.operand()? },
            18 => {
                let (to, count) = (self.register()?, self.below("number of places", MOST_FIELDS + 1)?);
                Action::CompareSwap { to, exchanges: (0..count).map(|_| self.exchange()).collect::<Result<_, _>>()? }
            }
            19 => Action::ExchangeIf { to: self.register()?, exchange: self.exchange()? },
            20 => Action::Swap { to: self.register()?, place: self.place()?, value: self.operand()? },
            21 => Action::FetchAdd { to: self.register()?, place: self.place()?, value: self.operand()? },
            22 => Action::Lock { place: self.place()? },
            23 => Action::Unlock { place: self.place()? },
            24 => {
                let (to, kind) = (self.register()?, self.kind()?);
                let fields = self.program.types[usize::from(kind)].fields;
                Action::New { to, kind, fields: (0..fields).map(|_| self.operand()).collect::<Result<_, _>>()? }
            }
            25 => Action::Free { node: self.operand()? },
            26 => Action::Begin,
            27 => Action::Await { holds: self.operand()? },
            _ => return Err("there is no such instruction".into()),
        })
    }
}
