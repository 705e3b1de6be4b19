package gcpbilling

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// A loader (dlt) that cannot nest puts each repeated field into a separate table: X__credits
// next to X, whose rows name the row that they belong to.

// Columns of the loader.
const (
	rowIDColumn = "_dlt_id"
	childColumn = "_dlt_parent_id"
	orderColumn = "_dlt_list_idx"
	rootColumn  = "_dlt_root_id"
)

// Bounds of the child tables of one import; a larger import must be split.
const (
	maxChildRows = 2 << 20
	maxChildText = 64 << 20 // bytes of different elements
)

// children are the child tables of one import.
type children struct {
	tables map[string]map[string]*child // by parent table, then by field
	texts  []string                     // different elements, as JSON
	known  map[string]int32             // their index in texts
	rows   int64
	size   int64
}

// child is a repeated field of a table.
type child struct {
	field string
	of    *children
	// heads is the first element of each row, by the hash of the row's id: 128 bits under seeds of
	// this process, so that ids need not be kept.
	heads map[[2]uint64]int32
	nodes []childNode
}

type childNode struct {
	text, order, next int32 // next: index + 1
	taken             bool  // the row exists
}

// count is the number of elements from at on.
func (c *child) count(at int32) (n int) {
	for at++; at > 0; at = c.nodes[at-1].next {
		n++
	}
	return n
}

// take marks the elements from at on: their row exists.
func (c *child) take(at int32) {
	for at++; at > 0; at = c.nodes[at-1].next {
		c.nodes[at-1].taken = true
	}
}

var childSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func rowHash(id string) [2]uint64 {
	return [2]uint64{maphash.String(childSeeds[0], id), maphash.String(childSeeds[1], id)}
}

// get is the field's JSON text for a row, "" if it has no elements.
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

// tableNames are the possible places and names of a file's table: the folder is the table, or
// the file's name begins with it.
func tableNames(f blob.File) []string {
	folder := strings.ReplaceAll(f.Folder(), "\\", "/")
	base, _, _ := strings.Cut(f.Base(), ".")
	return []string{folder, folder + "/" + base}
}

// field returns a field of a table, and creates it if missing.
func (c *children) field(parent, name string) *child {
	if c.tables[parent] == nil {
		c.tables[parent] = map[string]*child{}
	}
	k := c.tables[parent][name]
	if k == nil {
		k = &child{field: name, of: c, heads: map[[2]uint64]int32{}}
		c.tables[parent][name] = k
	}
	return k
}

// tableOf returns the child tables of a file's table, nil if there are none.
func (c *children) tableOf(f blob.File) map[string]*child {
	for _, name := range append(tableNames(f), f.Path) {
		if fields := c.tables[name]; fields != nil {
			return fields
		}
	}
	return nil
}

func (c *children) add(k *child, id string, order int32, element []byte) error {
	if c.rows++; c.rows > maxChildRows {
		return fmt.Errorf("the child tables of one import hold at most %d rows; import fewer loads at a time, oldest "+
			"first, or export the table with nested fields", maxChildRows)
	}
	text, ok := c.known[string(element)]
	if !ok {
		if c.size += int64(len(element)); c.size > maxChildText {
			return fmt.Errorf("the child tables of one import hold at most %d bytes of different elements; import fewer "+
				"loads at a time, oldest first, or export the table with nested fields", maxChildText)
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

// of lists the child tables of a file's table; header is the line of its header. A table whose
// rows have ids for children, but without any child table, is refused: its credits would be
// lost. A table with other child tables but none for credits has no credits, since the loader
// creates a child table with the first element.
func (c *children) of(f blob.File, header int64, has map[string]bool) ([]*child, error) {
	var fields map[string]*child
	if c != nil {
		fields = c.tableOf(f)
	}
	if fields != nil {
		out := make([]*child, 0, len(fields))
		for _, k := range fields {
			out = append(out, k)
		}
		slices.SortFunc(out, func(a, b *child) int { return cmp.Compare(a.field, b.field) })
		return out, nil
	}
	if has[colCredits.Name()] {
		return nil, nil
	}
	return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: header, Column: rowIDColumn,
		Reason: "child tables missing",
		Detail: "a loader has put the repeated fields of these rows into separate tables (…__credits, …__labels), " +
			"but no such table is among the files, so credits would be lost; import the folder with all of these tables"}}
}
