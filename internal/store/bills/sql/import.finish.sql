update imports set state = $3, finished_at = $4, files = $5, bytes = $6, rows_read = $7, accepted = $8, rejected = $9, ignored = $10,
  message = nullif($11, ''), uri = $12, cluster = nullif($13, ''), files_done = $14, bytes_done = $15, rows_done = $7, refused = $16
where tenant_id = $1 and import_id = $2
