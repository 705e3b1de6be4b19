-- What a calculation loses with the server it computes again: its marks are back, too.
select set_config('gpuledger.calculation', $1::text, true), set_config('idle_in_transaction_session_timeout', '20s', true),
  set_config('synchronous_commit', 'off', true), set_config('application_name', 'gpuledger ' || replace($1::text, '-', ''), true)
