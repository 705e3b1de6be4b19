create temp table next_rates (like rates including defaults) on commit drop
