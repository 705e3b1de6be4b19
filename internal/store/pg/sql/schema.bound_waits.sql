-- As in migrations: whoever waits for a table keeps everybody else from it.
set local lock_timeout = '5s'
