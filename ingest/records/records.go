package records

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// Record is one record, valid until the next one is read.
type Record struct {
	Line  int64 // on which it begins, from 1
	names []string
	cells []string
	at    map[string]int // by folded name
}

// Names are the names of the fields, as written.
func (r *Record) Names() []string { return r.names }

// Text is the value of the first existing field that is not empty; null is empty. Names are
// compared without regard to case and separators.
func (r *Record) Text(names ...string) string {
	for _, name := range names {
		if i, ok := r.at[table.Squash(name)]; ok && i < len(r.cells) {
			if v := strings.TrimSpace(r.cells[i]); !table.IsNull(v) {
				return v
			}
		}
	}
	return ""
}

// At is the value of the i-th of Names.
func (r *Record) At(i int) string {
	if v := strings.TrimSpace(r.cells[i]); !table.IsNull(v) {
		return v
	}
	return ""
}

// Has reports whether a field of this name exists, whatever its value.
func (r *Record) Has(name string) bool {
	_, ok := r.at[table.Squash(name)]
	return ok
}

func (r *Record) setNames(names []string) {
	r.names = names
	r.at = make(map[string]int, len(names))
	for i, name := range names {
		folded := table.Squash(name)
		if _, twice := r.at[folded]; !twice {
			r.at[folded] = i
		}
	}
}

// Reader configures how files are read.
type Reader struct {
	// Lists are members of outermost JSON objects that contain the records.
	Lists []string
	// Header checks the column names of CSV before the rows; an error refuses the file. nil: all
	// are accepted.
	Header func(names []string) error
	// Reject is called for rows that are not records.
	Reject func(ledger.Rejection)
}

// Each calls use with the records of in. A *ledger.FileError refuses the file.
func (rd *Reader) Each(ctx context.Context, in io.Reader, file string, use func(*Record) error) error {
	b := bufio.NewReaderSize(in, 64<<10)
	first, err := firstByte(b)
	if err != nil {
		return err
	}
	switch first {
	case 0:
		return nil
	case '{', '[':
		return rd.json(ctx, b, file, use)
	}
	return rd.csv(ctx, b, file, use)
}

// firstByte is the first byte that is neither byte order mark nor white space.
func firstByte(b *bufio.Reader) (byte, error) {
	for n := 1; n <= 4096; n++ {
		head, err := b.Peek(n)
		if len(head) < n {
			if errors.Is(err, io.EOF) {
				return 0, nil
			}
			return 0, err
		}
		if c := head[n-1]; !bytes.ContainsAny([]byte{c}, " \t\r\n\xef\xbb\xbf") {
			return c, nil
		}
	}
	return ' ', nil
}

func (rd *Reader) csv(ctx context.Context, in io.Reader, file string, use func(*Record) error) error {
	r := &Record{}
	return table.EachLine(ctx, in, file, func(line int64, cells []string) error {
		if r.names == nil {
			cells = slices.Clone(cells)
			cells[0] = strings.TrimPrefix(cells[0], "\ufeff")
			r.setNames(cells)
			if rd.Header == nil {
				return nil
			}
			err := rd.Header(r.names)
			if refused := (*ledger.FileError)(nil); errors.As(err, &refused) {
				refused.Line = line
			}
			return err
		}
		if len(cells) != len(r.names) {
			rd.Reject(ledger.Rejection{File: file, Line: line, Reason: "wrong number of fields",
				Detail: fmt.Sprintf("the row has %d fields, the header %d", len(cells), len(r.names))})
			return nil
		}
		r.Line, r.cells = line, cells
		return use(r)
	})
}

func (rd *Reader) json(ctx context.Context, in io.Reader, file string, use func(*Record) error) error {
	return jsonstream.Each(ctx, in, file, jsonstream.Options{Lists: rd.Lists}, func(v jsonstream.Value) error {
		if v.Around {
			return nil
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(v.Raw, &members); err != nil || members == nil {
			rd.Reject(ledger.Rejection{File: file, Line: v.Line, Reason: "not a record", Detail: "a JSON object is expected"})
			return nil
		}
		r := &Record{Line: v.Line}
		r.setNames(slices.Sorted(maps.Keys(members)))
		for _, name := range r.names {
			r.cells = append(r.cells, textOf(members[name]))
		}
		return use(r)
	})
}

// textOf is a JSON value as the text of a CSV cell.
func textOf(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err == nil {
			return s
		}
	}
	return string(raw)
}
