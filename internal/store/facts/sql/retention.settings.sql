set local lock_timeout = '2s'
