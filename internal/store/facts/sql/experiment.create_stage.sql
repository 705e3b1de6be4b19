create temp table next_experiment_results (like experiment_results) on commit drop
