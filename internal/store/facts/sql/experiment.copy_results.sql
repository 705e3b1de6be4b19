copy next_experiment_results (tenant_id, result_id, experiment, run, metric, value, baseline, threshold, lower_is_better, at, import_id) from stdin (format binary)
