create temp table next_events (like instance_events) on commit drop
