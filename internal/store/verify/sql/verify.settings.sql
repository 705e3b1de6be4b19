-- Groups of many keys are hashed: the server counts sorting by thirty texts, most of
-- them equal, as cheap as by one.
select set_config('work_mem', '128MB', true), set_config('enable_sort', 'off', true)
