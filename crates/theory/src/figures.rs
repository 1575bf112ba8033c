//! The formulas of the paper's Figures 3 to 7, each once, and a few of our own in the same words.
//!
//! | paper | here |
//! |---|---|
//! | `meth(x) = add` | `x:add`, a sort of the variable |
//! | `arg(x) = ret(y)` in MATCH1, MATCH2 | part of `match`: only what was given can be found (`Operations::can_match`) |
//! | `b(x, y)`, `match(x, y)` | `b(x,y)`, `match(x,y)` |
//! | `x ⊕ y` | two formulas |
//! | `y1 = y2` as a conclusion | `differ(y1,y2)` as a premise of `false` |
//!
//! What we changed stands in `source`. A peek is not in the paper: it finds like a remove and takes nothing.

use crate::notation::Formula;

macro_rules! formulas {
    ($($id:ident, $name:literal, $source:literal, $text:literal, $law:literal;)*) => {
        $(
            #[doc = concat!($source, ". ", $law, ".\n\n`", $text, "`")]
            pub const $id: Formula = Formula { name: $name, source: $source, text: $text, law: $law };
        )*
        /// All of them, in the order of the paper.
        pub const ALL: &[Formula] = &[$($id),*];
    };
}

formulas! {
    IRREFLEXIVE, "ATOMIC", "Figure 3",
        "all x:operation. b(x,x) => false",
        "nothing comes before itself";
    TRANSITIVE, "ATOMIC", "Figure 3",
        "all x1:operation, x2:operation, x3:operation. b(x1,x2) & b(x2,x3) => b(x1,x3)",
        "what comes before something comes before all that follows it";
    ASYMMETRIC, "ATOMIC", "Figure 3, one half of the exclusive or",
        "all x1:operation, x2:operation. b(x1,x2) & b(x2,x1) => false",
        "of two operations one comes first";
    TOTAL_ORDER, "ATOMIC", "Figure 3, the other half of the exclusive or",
        "all x1:operation, x2:operation. differ(x1,x2) => b(x1,x2) | b(x2,x1)",
        "of two operations one comes first";
    FUNCTION, "MATCH", "§3: a matching is a function",
        "all x1:giver, x2:giver, y:taker. match(x1,y) & match(x2,y) & differ(x1,x2) => false",
        "what was found was put there by one operation";
    INJECTIVE, "INJECTIVE", "Figure 3, INJECTIVE(remove): a peek takes nothing",
        "all x:add, y1:remove, y2:remove. match(x,y1) & match(x,y2) & differ(y1,y2) => false",
        "what was put in once is taken out once";
    INJECTIVE_UNLOCK, "INJECTIVE", "Figure 3",
        "all x:lock, y1:unlock, y2:unlock. match(x,y1) & match(x,y2) & differ(y1,y2) => false",
        "a lock that was taken once is given back once";
    INJECTIVE_RELEASE, "INJECTIVE", "Figure 3",
        "all x:acquire, y1:release, y2:release. match(x,y1) & match(x,y2) & differ(y1,y2) => false",
        "a permit that was taken once is given back once";
    INJECTIVE_EXCHANGE, "INJECTIVE", "Figure 3",
        "all x:exchange, y1:exchange, y2:exchange. match(x,y1) & match(x,y2) & differ(y1,y2) => false",
        "an exchange has one partner";
    SYMMETRIC, "SYMMETRIC", "Figure 3",
        "all x1:exchange, x2:exchange. match(x1,x2) => match(x2,x1)",
        "partners give each other their values";
    ADD_REM, "ADDREM", "Figure 4, for peeks too",
        "all r:front. some a:add. match(a,r) & b(a,r)",
        "what is found was put in before";
    EMPTY, "EMPTY", "Figure 4",
        "all e:empty, a:add. b(a,e) => some r:remove. match(a,r) & b(r,e)",
        "where nothing is found, all that was put in before was taken out before";
    WITHOUT, "EMPTY", "Figure 4 for one value of a bag",
        "all e:without, a:add. same(a,e) & b(a,e) => some r:remove. match(a,r) & b(r,e)",
        "where a value is not found, every copy of it that was put in before was taken out before";
    FIFO, "FIFO", "Figure 4, for peeks too",
        "all a1:add, a2:add, r2:front. match(a2,r2) & b(a1,a2) => some r1:remove. match(a1,r1) & b(r1,r2)",
        "first in, first out";
    LIFO, "LIFO", "Figure 4, for peeks too",
        "all a1:add, a2:add, r1:front. match(a1,r1) & b(a1,a2) & b(a2,r1) => some r2:remove. match(a2,r2) & b(r2,r1)",
        "last in, first out: what was put on top is taken off first";
    LIFO_FIRST, "LIFO", "Figure 4 at the front of a deque",
        "all a1:add, a2:add_first, r1:first. match(a1,r1) & b(a1,a2) & b(a2,r1) => some r2:remove. match(a2,r2) & b(r2,r1)",
        "what was put in at the same end later is taken out first";
    LIFO_LAST, "LIFO", "Figure 4 at the back of a deque",
        "all a1:add, a2:add_last, r1:last. match(a1,r1) & b(a1,a2) & b(a2,r1) => some r2:remove. match(a2,r2) & b(r2,r1)",
        "what was put in at the same end later is taken out first";
    FIFO_FIRST, "FIFO", "Figure 4 through a deque from the back to the front",
        "all a1:add, a2:add_last, r2:first. match(a2,r2) & b(a1,a2) => some r1:remove. match(a1,r1) & b(r1,r2)",
        "what was there before it came in at the other end is taken out first";
    FIFO_LAST, "FIFO", "Figure 4 through a deque from the front to the back",
        "all a1:add, a2:add_first, r2:last. match(a2,r2) & b(a1,a2) => some r1:remove. match(a1,r1) & b(r1,r2)",
        "what was there before it came in at the other end is taken out first";
    MAX, "MAX", "Figure 4, for peeks too",
        "all a1:add, a2:add, r1:front. match(a1,r1) & b(a2,r1) & lower(a1,a2) => some r2:remove. match(a2,r2) & b(r2,r1)",
        "the highest priority comes out first";
    PEEK, "PEEK", "ours",
        "all a:add, p:peek, r:remove. match(a,p) & match(a,r) => b(p,r)",
        "what is seen was not taken out yet";
    READ_WRITE, "READWRITE", "Figure 6",
        "all r:read. some w:write. match(w,r) & b(w,r)",
        "what is read was written before";
    READ_FROM, "READFROM", "Figure 6; INJECTIVE is left out: two reads may see one write, as §5.3 says too",
        "all w1:write, r:read. !match(w1,r) & b(w1,r) => some w2:write. match(w2,r) & b(w1,w2) & b(w2,r)",
        "a read sees the last write before it";
    TOTAL_UNLOCK, "TOTAL(unlock)", "Figure 3",
        "all u:unlock. some l:lock. match(l,u) & b(l,u)",
        "what is given back was taken before";
    MUTEX, "MUTEX", "Figure 7; the unlock between two locks is that of the first, as is always possible",
        "all l1:lock, l2:lock. b(l1,l2) => some u:unlock. match(l1,u) & b(u,l2)",
        "a lock is taken again only after it was given back";
    INCLUDE, "INCLUDE", "Figure 5, first formula",
        "all c:present. some a:add. match(a,c) & b(a,c)",
        "what is in a set was added before";
    INCLUDE_UNTIL, "INCLUDE", "Figure 5, second formula",
        "all c:present, a:add, r:remove. match(a,c) & match(a,r) => b(c,r)",
        "what is in a set was not removed yet";
    EXCLUDE, "EXCLUDE", "Figure 5",
        "all c:absent, a:add. b(a,c) => some r:remove. match(a,r) & b(r,c)",
        "what is not in a set was removed after it was added";
    SET_ADD_REM, "ADDREM", "Figure 5",
        "all a:add, r:remove. match(a,r) => b(a,r)",
        "what is removed was added before";
    MATCHING_ADD, "MATCHINGADD", "Figure 5, as ∀*∃*: between what found the element there and the add is something",
        "all a:add, x:taker, p:here. match(a,x) & b(p,a) => some q:element. b(p,q) & b(q,a)",
        "an add with a match is the first of several";
    MATCHING_REM, "MATCHINGREM", "Figure 5, likewise",
        "all a:add, r:remove, p:gone. match(a,r) & b(p,r) => some q:element. b(p,q) & b(q,r)",
        "a remove with a match is the first of several";
    LIMIT, "LIMIT", "Figure 7 for two permits; the printed match(r, x) has its arguments in the other order",
        "all x0:acquire, x1:acquire, x2:acquire. differ(x0,x1) & b(x0,x2) & b(x1,x2) => \
         some r:release. match(x0,r) & b(r,x2) | some r:release. match(x1,r) & b(r,x2)",
        "of three who acquire two permits, the last waits for a release";
    TOTAL_RELEASE, "TOTAL(release)", "Figure 3",
        "all r:release. some x:acquire. match(x,r) & b(x,r)",
        "what is given back was taken before";
    SHOWN, "SHOWN", "ours, for what only grows and is read as a whole",
        "all r:whole, a:add. shows(r,a) => b(a,r)",
        "what is shown was put in before";
    HIDDEN, "HIDDEN", "ours, for what only grows and is read as a whole",
        "all r:whole, a:add. !shows(r,a) => b(r,a)",
        "what is not shown was put in later, for nothing is ever taken out";
    LISTED, "LISTED", "ours, for lists",
        "all r:whole, a1:add, a2:add. shows(r,a1) & shows(r,a2) & ahead(a1,a2) => b(a1,a2)",
        "a list shows what was put in in the order in which it was";
    BEGINNING, "BEGINNING", "ours, for lists",
        "all r1:longest, r2:odd. false",
        "of two reads one is the beginning of the other, and what follows is whole pieces";
    THIN_AIR, "THIN AIR", "ours, for what only grows and is read as a whole",
        "all r:astray. false",
        "what is shown was put in, and shown as often";
    EXCHANGED, "EXCHANGE", "Figure 7",
        "all x:served. some y:exchange. match(y,x)",
        "who got a value got it from a partner";
    MATCH_OVERLAP, "MATCHOVERLAP", "Figure 7",
        "all x1:exchange, x2:exchange. match(x1,x2) & b(x1,x2) => false",
        "partners meet";
}
