create temp table next_summaries (like sample_summaries) on commit drop
