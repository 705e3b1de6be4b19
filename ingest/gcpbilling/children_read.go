package gcpbilling

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Prepare takes the child tables off the list and reads them.
func (f format) Prepare(ctx context.Context, files []blob.File, tally *ledger.Tally) ([]blob.File, bill.Format, error) {
	var rest, kids []blob.File
	named := false // rows of the other files have ids, which child tables refer to
	for _, file := range files {
		names, err := table.HeadNames(file, f.Options())
		if err == nil && slices.ContainsFunc(names, ofChild) {
			kids = append(kids, file)
			continue
		}
		named = named || err == nil && slices.Contains(names, rowIDColumn)
		rest = append(rest, file) // opening it reports the error
	}
	if len(kids) == 0 {
		return rest, f, nil
	}
	with := format{children: &children{tables: map[string]map[string]*child{}, known: map[string]int32{}}}
	parents := map[string]bool{}
	for _, file := range rest {
		for _, name := range tableNames(file) {
			parents[name] = true
		}
	}
	var loose []looseFile
	for _, file := range kids {
		parent, field, ok := childOf(file, parents)
		if !ok {
			parent, field = noTable, ""
		}
		read, err := with.children.read(ctx, file, parent, field, tally)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			loose = append(loose, read)
		}
	}
	if err := with.children.match(ctx, rest, tally); err != nil {
		return nil, nil, err
	}
	for i := range loose {
		if !loose[i].used(named) {
			tally.Refuse(loose[i].alone())
		}
	}
	with.children.known = nil
	return rest, with, nil
}

// noTable is the parent of child tables whose place does not name it: files of several tables
// in one folder.
const noTable = ""

// match finds the elements that belong to rows of the files. Child tables without a table go to
// the files whose rows they name; elements without a row are counted.
func (c *children) match(ctx context.Context, files []blob.File, tally *ledger.Tally) error {
	loose := c.tables[noTable]
	delete(c.tables, noTable)
	for _, f := range files {
		fields := c.tableOf(f)
		named := fields != nil
		if !named {
			fields = loose
		}
		if len(fields) == 0 {
			continue
		}
		mine, err := c.rowsOf(ctx, f, fields)
		if err != nil {
			return err
		}
		if mine && !named {
			c.tables[f.Path] = fields
		}
	}
	seen := map[*child]bool{}
	for _, fields := range c.tables {
		for _, k := range fields {
			seen[k] = true
		}
	}
	for _, k := range loose {
		seen[k] = true
	}
	var orphans int64
	for k := range seen {
		for _, at := range k.heads {
			if k.nodes[at].taken {
				k.take(at)
			} else {
				orphans += int64(k.count(at))
			}
		}
	}
	tally.Note("element of a child table whose row is not among the files", orphans)
	return nil
}

// rowsOf marks the elements of a file's rows. A file that cannot be read reports its error when
// it is opened.
func (c *children) rowsOf(ctx context.Context, f blob.File, fields map[string]*child) (found bool, err error) {
	head, err := table.HeadNames(f, table.Options{})
	if err != nil || !slices.Contains(head, rowIDColumn) {
		return false, ctx.Err()
	}
	t, err := table.Open(f, table.Options{})
	if err != nil {
		return false, ctx.Err()
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	at := slices.Index(t.Names(), rowIDColumn)
	t.Select([]int{at})
	readErr := t.Each(ctx, func(r table.Row) error {
		key := rowHash(r.Raw(at))
		for _, k := range fields {
			if head, ok := k.heads[key]; ok {
				found, k.nodes[head].taken = true, true
			}
		}
		return nil
	})
	if readErr != nil {
		return found, ctx.Err()
	}
	return found, nil
}

// fieldOf is the field of an element if its table's name does not show it: labels set by Google
// have their own keys.
func fieldOf(names []string, key string) string {
	switch {
	case slices.Contains(names, "amount"):
		return "credits"
	case slices.Contains(names, "display_name"):
		return "project.ancestors"
	case slices.Contains(names, "namespace"):
		return "tags"
	case strings.Contains(key, "googleapis.com/"):
		return "system_labels"
	}
	return "labels"
}

// childOf finds the parent of a child table, the one with the longest matching name, and its
// field.
func childOf(f blob.File, parents map[string]bool) (parent, field string, ok bool) {
	for _, name := range tableNames(f) {
		dir, base := path.Split(name)
		for at := len(base); at > 0; {
			if at = strings.LastIndex(base[:at], "__"); at <= 0 {
				break
			}
			if parents[dir+base[:at]] {
				return dir + base[:at], documented(base[at+2:]), true
			}
		}
	}
	return "", "", false
}

// read reads the rows of a child table.
func (c *children) read(
	ctx context.Context, f blob.File, parent, field string, tally *ledger.Tally,
) (read looseFile, err error) {
	t, err := table.Open(f, table.Options{})
	if err != nil {
		return read, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	read = looseFile{file: f, header: t.HeaderLine()}
	if !slices.Contains(t.Names(), childColumn) {
		return read, &ledger.FileError{Rejection: read.rejection("missing required column",
			fmt.Sprintf("none of the %d columns names the row that an element belongs to; load or export the child table "+
				"with all of its columns", len(t.Names())))}
	}
	before := map[*child]int{}
	for _, k := range c.tables[parent] {
		before[k] = len(k.nodes)
	}
	var k *child
	if field != "" {
		k = c.field(parent, field)
	}
	keyAt := slices.Index(t.Names(), "key")
	owner, order := slices.Index(t.Names(), childColumn), slices.Index(t.Names(), orderColumn)
	var members []int
	for i, n := range t.Names() {
		if !strings.HasPrefix(n, "_") {
			members = append(members, i)
		}
	}
	sort.Slice(members, func(a, b int) bool { return t.Names()[members[a]] < t.Names()[members[b]] })
	var buf []byte
	refuse := func(r table.Row, column, reason, detail string) error {
		return &ledger.FileError{
			Rejection: ledger.Rejection{File: f.Name, Line: r.Line(), Column: column, Reason: reason, Detail: detail},
		}
	}
	err = t.Each(ctx, func(r table.Row) error {
		id := r.Raw(owner)
		if id == "" {
			return refuse(r, childColumn, "missing value", "an element does not name the row that it belongs to")
		}
		index := int32(0)
		if order >= 0 {
			n, err := strconv.ParseInt(r.Raw(order), 10, 32)
			if err != nil {
				return refuse(r, orderColumn, "not a number",
					"\""+table.Clip(r.Raw(order))+"\": the place of an element is expected")
			}
			index = int32(n)
		}
		buf = append(buf[:0], '{')
		for _, m := range members {
			if v := r.Raw(m); v != "" {
				if len(buf) > 1 {
					buf = append(buf, ',')
				}
				buf = append(table.AppendQuoted(buf, t.Names()[m]), ':')
				buf = table.AppendQuoted(buf, v)
			}
		}
		of := k
		if of == nil {
			key := ""
			if keyAt >= 0 {
				key = r.Raw(keyAt)
			}
			of = c.field(parent, fieldOf(t.Names(), key))
		}
		if err := c.add(of, id, index, append(buf, '}')); err != nil {
			return refuse(r, "", "too many child rows", err.Error())
		}
		return nil
	})
	if err != nil {
		return read, err
	}
	if n := t.Rejected().RejectedRows(); n > 0 {
		return read, &ledger.FileError{Rejection: t.Rejected().First[0]}
	}
	for _, k := range c.tables[parent] {
		if len(k.nodes) > before[k] {
			read.parts = append(read.parts, stretch{k, before[k], len(k.nodes)})
		}
	}
	if field == "" {
		field = "(not named by its folder or file)"
	}
	tally.Note("file of a child table: "+field, 1)
	return read, nil
}
