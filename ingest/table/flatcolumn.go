package table

// rows reads the next rows of a leaf that does not repeat into col.
func (c *chunk) rows(col *column, rows int) error {
	col.null()
	if c.maxRep != 0 {
		return errLevels
	}
	local := &values{stored: c.stored, unit: c.unit}
	mixed := false // some values are in the dictionary and some are not
	for at := 0; at < rows; {
		if err := c.page(); err != nil {
			return err
		}
		n := min(rows-at, c.left)
		if at == 0 && n == rows && c.coded {
			done, err := c.allSame(col, rows)
			if err != nil {
				return err
			}
			if done {
				c.left -= rows
				return nil
			}
		}
		if at == 0 {
			col.index = col.room(rows)
		}
		if !c.coded && at > 0 && !mixed && local.len() == 0 {
			c.leaveDictionary(local, col.index[:at])
			mixed = true
		}
		part := col.index[at : at+n]
		if err := c.part(part, local); err != nil {
			return err
		}
		if c.coded && (mixed || local.len() > 0) {
			mixed = true
			c.leaveDictionary(local, part)
		}
		at += n
		c.left -= n
	}
	switch {
	case local.len() > 0:
		col.f = (&facets{values: values{stored: c.stored, unit: c.unit}, want: c.dictionary.want}).with(local)
	case c.dictionary.len() > 0:
		col.f = c.dictionary
	default:
		col.null() // only nulls
	}
	return nil
}

// allSame reads rows of a coded page at once if they are one run.
func (c *chunk) allSame(col *column, rows int) (bool, error) {
	if c.maxDef > 0 {
		if c.def.left == 0 {
			if err := c.def.next(); err != nil {
				return false, err
			}
		}
		if c.def.packed != nil || c.def.left < rows || c.def.value > c.maxDef {
			return false, nil
		}
		if c.def.value < c.maxDef {
			c.def.left -= rows
			col.same = -1
			return true, nil
		}
	}
	if c.indexes.left == 0 {
		if err := c.indexes.next(); err != nil {
			return false, err
		}
	}
	if c.indexes.packed != nil && c.indexes.width > 0 || c.indexes.left < rows {
		return false, nil
	}
	_, k, err := c.indexes.run(rows)
	if err != nil {
		return false, err
	}
	if uint32(k) >= uint32(c.size) {
		return false, errWord
	}
	if c.of != nil {
		k = c.of[k]
	}
	if c.maxDef > 0 {
		c.def.left -= rows
	}
	col.same, col.f = k, c.dictionary
	return true, nil
}

// part reads the numbers of the next values: the dictionary's, or local's, to which it adds the
// values.
func (c *chunk) part(dst []int32, local *values) error {
	if c.maxDef == 0 {
		return c.numbers(dst, local)
	}
	same, level, err := c.def.run(len(dst))
	if err != nil {
		return err
	}
	if same == len(dst) && level == c.maxDef {
		return c.numbers(dst, local)
	}
	c.levels = grow(c.levels, len(dst))
	for i := range same {
		c.levels[i] = level
	}
	if err := c.def.fill(c.levels[same:]); err != nil {
		return err
	}
	present := 0
	for _, l := range c.levels {
		if l == c.maxDef {
			present++
		}
	}
	c.ids = grow(c.ids, present)
	if err := c.numbers(c.ids, local); err != nil {
		return err
	}
	next := 0
	for i, l := range c.levels {
		if l == c.maxDef {
			dst[i] = c.ids[next]
			next++
		} else {
			dst[i] = -1
		}
	}
	return nil
}

func (c *chunk) numbers(dst []int32, local *values) error {
	if len(dst) == 0 {
		return nil
	}
	if c.coded {
		return c.codes(dst)
	}
	first := int32(local.len())
	for i := range dst {
		dst[i] = first + int32(i)
	}
	return c.plainValues(local, len(dst))
}

// leaveDictionary replaces dictionary numbers by those of copies in local: a writer may give up
// its dictionary in the middle of a batch.
func (c *chunk) leaveDictionary(local *values, ids []int32) {
	d := &c.dictionary.values
	for i, k := range ids {
		if k < 0 {
			continue
		}
		ids[i] = int32(local.len())
		switch c.stored {
		case storedText:
			local.text = append(local.text, d.text[k])
		case storedDouble:
			local.f64 = append(local.f64, d.f64[k])
		default:
			local.i64 = append(local.i64, d.i64[k])
		}
	}
}
