-- See rollup.settings.
set local enable_sort = off
