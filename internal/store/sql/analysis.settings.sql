-- A day that is lost with the server still has its mark, and is worked out again.
select set_config('synchronous_commit', 'off', true)
