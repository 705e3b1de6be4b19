select set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '20s', true),
  set_config('application_name', 'gpuledger ' || $1::text, true)
