update imports set phase = $3, phase_since = case when phase is distinct from $3 then $4 else phase_since end, progress_at = $4,
  files_done = $5, files = $6, bytes_done = $7, bytes = $8, rows_done = $9
where tenant_id = $1 and import_id = $2 and state = 'running'
