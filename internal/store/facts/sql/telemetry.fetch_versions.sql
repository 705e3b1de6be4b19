fetch 2000 from versions
