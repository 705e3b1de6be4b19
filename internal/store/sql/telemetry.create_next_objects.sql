create temp table next_objects (like objects) on commit drop
