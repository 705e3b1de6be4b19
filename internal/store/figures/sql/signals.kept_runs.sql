select run_id, coalesce(attempt_id, '00000000-0000-0000-0000-000000000000'), activity_bins from star.run_signal_days where tenant_id = $1 and at = $2
