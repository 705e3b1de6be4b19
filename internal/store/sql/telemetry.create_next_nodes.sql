create temp table next_node_facts (like node_facts) on commit drop
