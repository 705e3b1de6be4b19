package gcpbilling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
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

// A loader (dlt) that cannot nest makes a table of its own of each repeated
// field: X__credits beside X, whose rows name the row that they belong to.

// Columns of the loader.
const (
	rowIDColumn = "_dlt_id"
	childColumn = "_dlt_parent_id"
	orderColumn = "_dlt_list_idx"
)

// Bounds of the child tables of one import; beyond them it must be cut.
const (
	maxChildRows = 2 << 20
	maxChildText = 64 << 20 // bytes of elements that differ
)

// children are the child tables of one import.
type children struct {
	tables map[string]map[string]*child // by parent table, then by field
	texts  []string                     // elements that differ, as JSON
	known  map[string]int32             // where they are in texts
	rows   int64
	size   int64
}

// child is a repeated field of a table.
type child struct {
	field string
	of    *children
	// heads is the first element of each row, by the hash of the row's id: 128
	// bits under seeds of this process, so that ids need not be kept.
	heads map[[2]uint64]int32
	nodes []childNode
}

type childNode struct {
	text, order, next int32 // next: index + 1
}

var childSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func rowHash(id string) [2]uint64 {
	return [2]uint64{maphash.String(childSeeds[0], id), maphash.String(childSeeds[1], id)}
}

// get is the JSON text of the field of a row, "" when it has no elements.
func (c *child) get(id string) string {
	at, ok := c.heads[rowHash(id)]
	if !ok {
		return ""
	}
	var list []childNode
	for at++; at > 0; {
		n := c.nodes[at-1]
		list = append(list, n)
		at = n.next
	}
	slices.SortStableFunc(list, func(a, b childNode) int { return cmp.Compare(a.order, b.order) })
	out := []byte{'['}
	for i, n := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, c.of.texts[n.text]...)
	}
	return string(append(out, ']'))
}

// tableNames are the places and names that a file's table may have: its folder
// is the table, or its own name begins with it.
func tableNames(f blob.File) []string {
	folder := strings.ReplaceAll(f.Folder(), "\\", "/")
	base, _, _ := strings.Cut(f.Base(), ".")
	return []string{folder, folder + "/" + base}
}

// Prepare takes the child tables out of the list and reads them.
func (f format) Prepare(ctx context.Context, files []blob.File, tally *ledger.Tally) ([]blob.File, bill.Format, error) {
	var rest, kids []blob.File
	for _, file := range files {
		names, err := table.HeadNames(file, f.Options())
		if err == nil && slices.Contains(names, childColumn) {
			kids = append(kids, file)
			continue
		}
		rest = append(rest, file) // what cannot be read says so when it is opened
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
	for _, file := range kids {
		parent, field, ok := childOf(file, parents)
		if !ok {
			tally.Ignore("child table without its table", 1)
			continue
		}
		if err := with.children.read(ctx, file, parent, field, tally); err != nil {
			return nil, nil, err
		}
	}
	with.children.known = nil
	return rest, with, nil
}

// childOf finds the table that a child table belongs to, the one with the
// longest name, and the field that it is.
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

// read takes in the rows of a child table.
func (c *children) read(ctx context.Context, f blob.File, parent, field string, tally *ledger.Tally) (err error) {
	t, err := table.Open(f, table.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if c.tables[parent] == nil {
		c.tables[parent] = map[string]*child{}
	}
	k := c.tables[parent][field]
	if k == nil {
		k = &child{field: field, of: c, heads: map[[2]uint64]int32{}}
		c.tables[parent][field] = k
	}
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
		return &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: r.Line(), Column: column, Reason: reason, Detail: detail}}
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
				return refuse(r, orderColumn, "not a number", "\""+table.Clip(r.Raw(order))+"\": the place of an element is expected")
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
		if err := c.add(k, id, index, append(buf, '}')); err != nil {
			return refuse(r, "", "too many child rows", err.Error())
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n := t.Rejected().RejectedRows(); n > 0 {
		return &ledger.FileError{Rejection: t.Rejected().First[0]}
	}
	tally.Note("file of the child table "+field, 1)
	return nil
}

func (c *children) add(k *child, id string, order int32, element []byte) error {
	if c.rows++; c.rows > maxChildRows {
		return fmt.Errorf("the child tables of one import hold at most %d rows; import fewer loads at a time, oldest first, or export the table with nested fields", maxChildRows)
	}
	text, ok := c.known[string(element)]
	if !ok {
		if c.size += int64(len(element)); c.size > maxChildText {
			return fmt.Errorf("the child tables of one import hold at most %d bytes of different elements; import fewer loads at a time, oldest first, or export the table with nested fields", maxChildText)
		}
		text = int32(len(c.texts))
		c.texts = append(c.texts, string(element))
		c.known[c.texts[text]] = text
	}
	key := rowHash(id)
	n := childNode{text: text, order: order}
	if head, there := k.heads[key]; there {
		n.next = head + 1
	}
	k.nodes = append(k.nodes, n)
	k.heads[key] = int32(len(k.nodes) - 1)
	return nil
}

// of lists the child tables of a file's table. A table whose rows have ids for
// children, without any child table, is refused: its credits would be lost. A
// table with others but without credits has none, as the loader makes a child
// table with the first element.
func (c *children) of(f blob.File, has map[string]bool) ([]*child, error) {
	if c != nil {
		for _, name := range tableNames(f) {
			if fields := c.tables[name]; fields != nil {
				out := make([]*child, 0, len(fields))
				for _, k := range fields {
					out = append(out, k)
				}
				slices.SortFunc(out, func(a, b *child) int { return cmp.Compare(a.field, b.field) })
				return out, nil
			}
		}
	}
	if has[colCredits.name()] {
		return nil, nil
	}
	return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Column: rowIDColumn, Reason: "child tables missing",
		Detail: "a loader has put the repeated fields of these rows into tables of their own (…__credits, …__labels), and none of them is among the files, so credits would be lost; import the folder that holds all of these tables"}}
}
