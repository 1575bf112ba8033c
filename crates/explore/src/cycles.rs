//! Where does a graph go round? Its strongly connected components by Tarjan's algorithm (SIAM J. Comput. 1(2), 1972), with a stack of its own. O(m).

use crate::walk::Walk;
use linpoint_base::Cause;

const UNSEEN: u32 = u32::MAX;
/// Bytes: three numbers, and one on the stack.
const PER_NODE: usize = 16;

/// The component of each node; two nodes have the same number if each reaches the other.
pub fn components<I: Iterator<Item = u32>>(
    nodes: usize,
    edges: impl Fn(u32) -> I,
    walk: &mut Walk<'_>,
) -> Result<Vec<u32>, Cause> {
    let (mut index, mut low, mut of) = (vec![UNSEEN; nodes], vec![0u32; nodes], vec![UNSEEN; nodes]);
    let (mut open, mut next, mut found) = (Vec::new(), 0, 0);
    let mut calls: Vec<(u32, I)> = Vec::new();
    for root in 0..nodes as u32 {
        if index[root as usize] != UNSEEN {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                walk.step(|| nodes * PER_NODE)?;
                index[node as usize] = next;
                low[node as usize] = next;
                next += 1;
                open.push(node);
                calls.push((node, edges(node)));
            }
            let Some((node, rest)) = calls.last_mut() else { break };
            let node = *node as usize;
            match rest.next() {
                Some(target) if index[target as usize] == UNSEEN => entering = Some(target),
                Some(target) if of[target as usize] == UNSEEN => low[node] = low[node].min(index[target as usize]),
                Some(_) => {}
                None => {
                    calls.pop();
                    if low[node] == index[node] {
                        while let Some(member) = open.pop() {
                            of[member as usize] = found;
                            if member as usize == node {
                                break;
                            }
                        }
                        found += 1;
                    }
                    if let Some(&(caller, _)) = calls.last() {
                        low[caller as usize] = low[caller as usize].min(low[node]);
                    }
                }
            }
        }
    }
    Ok(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_base::Control;

    #[test]
    fn two_rings_and_a_bridge() {
        let edges: [&[u32]; 6] = [&[1], &[2], &[0, 3], &[4], &[3], &[5]];
        let control = Control::new(None, usize::MAX);
        let of = components(6, |node| edges[node as usize].iter().copied(), &mut Walk::new(&control)).unwrap();
        assert!(of[0] == of[1] && of[1] == of[2]);
        assert!(of[3] == of[4] && of[3] != of[0]);
        assert!(of[5] != of[3] && of[5] != of[0]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let nodes = 300_000;
        let edges = |node| (node + 1 < nodes as u32).then_some(node + 1).into_iter();
        let control = Control::new(None, usize::MAX);
        let of = components(nodes, edges, &mut Walk::new(&control)).unwrap();
        let small = Control::new(None, 1000);
        assert_eq!(components(nodes, edges, &mut Walk::new(&small)), Err(Cause::Memory));
        let mut distinct = of.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), nodes);
    }
}
