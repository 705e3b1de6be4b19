-- A day that is lost with the server still has its mark, and is worked out again.
-- Plans are made for the day: one for any day expects a 200th of what a day has.
select set_config('synchronous_commit', 'off', true), set_config('work_mem', '96MB', true), set_config('plan_cache_mode', 'force_custom_plan', true)
