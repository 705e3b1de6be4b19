select set_config('gpuledger.calculation', $1::text, true), set_config('idle_in_transaction_session_timeout', '20s', true),
  set_config('application_name', 'gpuledger ' || replace($1::text, '-', ''), true)
