-- Of a table that is read a few times, whole, it is enough to know how many groups
-- there are about. Rows are added up by some thirty keys of text: to hash them takes
-- a fifth of the time that it takes to sort them, which the server prefers when it
-- fears that there are too many. Functions that merge keep their plans.
select set_config('default_statistics_target', '10', true), set_config('enable_sort', 'off', true), set_config('plan_cache_mode', 'auto', true)
