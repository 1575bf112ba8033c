//! Which nodes go together? Union-find by path halving: O(log n) per question, in practice constant.

/// The root of a node: `parent` holds one entry per node, a root is its own parent.
pub fn root(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let up = parent[parent[node as usize] as usize];
        parent[node as usize] = up;
        node = up;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_halved_on_the_way() {
        let mut parent = vec![0, 0, 1, 2, 3, 5];
        assert_eq!((root(&mut parent, 4), root(&mut parent, 5)), (0, 5));
        assert_eq!(parent, [0, 0, 0, 2, 2, 5]);
    }
}
