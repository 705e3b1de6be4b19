select next_mark($1)
