close versions
