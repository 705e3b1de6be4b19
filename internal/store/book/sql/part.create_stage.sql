create temp table next_parts (like parts including defaults) on commit drop
