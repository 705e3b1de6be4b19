package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// maxColumns bounds the columns of a file whose columns are found in its rows.
const maxColumns = 4096

// jsonTable reads JSON objects: one per line, one after the other in any layout, or in a list.
// A first pass finds the columns: a member that is absent from the first million rows may be in
// the next.
type jsonTable struct {
	file  blob.File
	in    *blob.Reader
	names []string
	first int64 // line of the first row, 0 = there is none
	root  *jsonNode
	read  []bool // per name
	bad   ledger.Tally
}

// jsonNode is a member of the rows, or of records in them.
type jsonNode struct {
	pos     int // of the column, -1 if the member is always a record
	members map[string]*jsonNode
}

func newNode() *jsonNode { return &jsonNode{pos: -1, members: map[string]*jsonNode{}} }

func openJSON(f blob.File, o Options) (t Table, err error) {
	j := &jsonTable{file: f, root: newNode()}
	if err := j.findNames(o); err != nil {
		return nil, err
	}
	j.Select(nil)
	if j.in, err = f.Open(blob.Limits{}); err != nil {
		return nil, err
	}
	return j, nil
}

// findNames reads the whole file once.
func (j *jsonTable) findNames(o Options) (err error) {
	in, err := j.file.Open(blob.Limits{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	rows := newJSONRows(in, j.file.Name)
	for {
		text, err := rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if j.first == 0 {
			j.first = rows.begin
		}
		if err := j.learn(string(text), o); err != nil {
			return rows.broken(err)
		}
	}
}

var errColumns = fmt.Errorf("the records have more than %d members", maxColumns)

// learn adds the members of a row.
func (j *jsonTable) learn(text string, o Options) error {
	l := jsonLearn{jsonParser: jsonParser{s: text}, table: j, o: o}
	return l.members(j.root, "", 0)
}

// jsonLearn finds the columns of one row.
type jsonLearn struct {
	jsonParser
	table *jsonTable
	o     Options
}

func (l *jsonLearn) members(n *jsonNode, prefix string, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	for more := l.open('}'); more; {
		name, err := l.key()
		if err != nil {
			return err
		}
		if err := l.member(n, prefix, name, depth); err != nil {
			return err
		}
		if more, err = l.next('}'); err != nil {
			return err
		}
	}
	return nil
}

func (l *jsonLearn) member(n *jsonNode, prefix, name string, depth int) error {
	child := n.members[name]
	column := child != nil && child.pos >= 0
	switch c := l.peek(); {
	case c == '{' && (len(l.o.Maps) == 0 || !slices.Contains(l.o.Maps, prefix+name)):
		if child == nil {
			child = newNode()
			n.members[strings.Clone(name)] = child
		}
		return l.members(child, prefix+name+".", depth+1)
	case c == '{' || c == '[':
		if err := l.skip(depth + 1); err != nil || column {
			return err
		}
	default:
		kind, _, err := l.scalar()
		if err != nil || column || kind == jsonNull { // null is neither record nor column
			return err
		}
	}
	if child == nil {
		child = newNode()
		n.members[strings.Clone(name)] = child
	}
	if len(l.table.names) == maxColumns {
		return errColumns
	}
	child.pos = len(l.table.names)
	l.table.names = append(l.table.names, prefix+name)
	return nil
}

// headJSON returns the columns of the rows that are complete in the first bytes of a file, nil
// if it does not begin with JSON objects.
func headJSON(head []byte, o Options) []string {
	j := &jsonTable{root: newNode()}
	rows := newJSONRows(&cut{head}, "")
	for {
		text, err := rows.next()
		if err != nil || j.learn(string(text), o) != nil {
			return j.names
		}
	}
}

// cut is the beginning of a file.
type cut struct{ rest []byte }

// Read implements io.Reader.
func (c *cut) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (j *jsonTable) Names() []string               { return j.names }
func (j *jsonTable) HeaderLine() int64             { return j.first }
func (j *jsonTable) Rejected() *ledger.Tally       { return &j.bad }
func (j *jsonTable) Sum() ([32]byte, int64, error) { return j.in.Sum() }
func (j *jsonTable) Close() error                  { return j.in.Close() }

func (j *jsonTable) Select(positions []int) {
	j.read = make([]bool, len(j.names))
	for i := range j.read {
		j.read[i] = positions == nil
	}
	for _, pos := range positions {
		j.read[pos] = true
	}
}

func (j *jsonTable) Each(ctx context.Context, visit func(Row) error) error {
	rows := newJSONRows(j.in, j.file.Name)
	rec := newTextRecord(len(j.names))
	var lists listCache
	for n := 0; ; n++ {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		text, err := rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		rec.reset(rows.begin)
		fill := jsonFill{jsonParser: jsonParser{s: string(text)}, table: j, rec: rec, lists: &lists}
		err = fill.members(j.root, 0)
		switch {
		case errors.Is(err, errTwice):
			j.bad.Reject(ledger.Rejection{File: j.file.Name, Line: rows.begin, Reason: "duplicate member", Detail: err.Error()})
			continue
		case err != nil:
			return rows.broken(err)
		}
		if err := visit(rec); err != nil {
			return err
		}
	}
}

var errTwice = errors.New("a record has one member twice, so its value is ambiguous")

// jsonFill reads one row into cells.
type jsonFill struct {
	jsonParser
	table *jsonTable
	rec   *textRecord
	lists *listCache
}

func (f *jsonFill) members(n *jsonNode, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	if f.peek() != '{' {
		return f.fail("a record is expected")
	}
	for more := f.open('}'); more; {
		name, err := f.key()
		if err != nil {
			return err
		}
		if err := f.member(n.members[name], depth); err != nil {
			return err
		}
		if more, err = f.next('}'); err != nil {
			return err
		}
	}
	return nil
}

func (f *jsonFill) member(n *jsonNode, depth int) error {
	switch c := f.peek(); {
	case c == '{' && n != nil && n.pos < 0:
		return f.members(n, depth+1)
	case c == '{' || c == '[':
		from := f.pos
		f.items = 0
		v, err := f.value(depth + 1)
		if err != nil {
			return err
		}
		if v.kind == jsonObject && n != nil && len(n.members) > 0 {
			// A member that is a record here is a scalar in other rows.
			sub := *f
			sub.pos = from
			return sub.members(n, depth+1)
		}
		if n == nil || n.pos < 0 || !f.table.read[n.pos] {
			return nil
		}
		return f.rec.set(n.pos, f.lists.get(f.s[from:f.pos], &v))
	default:
		kind, text, err := f.scalar()
		if err != nil || kind == jsonNull || n == nil || n.pos < 0 || !f.table.read[n.pos] {
			return err
		}
		return f.rec.set(n.pos, text)
	}
}

// listCache caches the canonical text of recent lists: labels repeat on thousands of rows.
type listCache struct{ known map[string]string }

func (c *listCache) get(raw string, v *jsonValue) string {
	if v.none() {
		return ""
	}
	if t, ok := c.known[raw]; ok {
		return t
	}
	if c.known == nil || len(c.known) >= mapCacheSize {
		c.known = map[string]string{}
	}
	t := string(v.append(nil))
	c.known[string(append([]byte(nil), raw...))] = t
	return t
}
