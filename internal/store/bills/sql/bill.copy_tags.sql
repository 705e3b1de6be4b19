copy next_tags (slot, tag_set, tags) from stdin (format binary)
