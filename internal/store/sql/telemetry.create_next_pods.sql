create temp table next_pods (like pods) on commit drop
