create temp table next_coverage (account text, covered_until timestamptz) on commit drop
