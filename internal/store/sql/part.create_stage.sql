create temp table next_parts (like parts) on commit drop
