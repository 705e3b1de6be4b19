-- Of a table that is read a few times, whole: how many groups there are about.
set local default_statistics_target = 10
