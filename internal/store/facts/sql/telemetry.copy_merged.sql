copy merged_vectors (n, first_second, last_second, vectors) from stdin (format binary)
