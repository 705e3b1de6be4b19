package odata

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gpuledger/metrics"
)

// Row writes entities of a question.
type Row struct {
	names  [][]byte
	at     []int // column of each property; -1: the identifier
	kinds  []metrics.Kind
	keys   []int // columns that identify a row
	all    []metrics.Column
	quoted bool
	sum    []byte
}

// NewRow is a writer of rows with the given columns. Decimals and 64-bit numbers are texts if quoted is set, as clients
// ask whose numbers are floating-point (IEEE754Compatible).
func NewRow(q *Question, columns []metrics.Column, quoted bool) (*Row, error) {
	r := &Row{all: columns, quoted: quoted}
	index := func(name string) int {
		return slices.IndexFunc(columns, func(c metrics.Column) bool { return c.Name == name })
	}
	for _, p := range q.Properties {
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		at := -1
		if p.Column != "" {
			if at = index(p.Column); at < 0 {
				return nil, fmt.Errorf("the answer lacks the column %s", p.Column)
			}
		}
		r.names = append(r.names, append(name, ':'))
		r.at = append(r.at, at)
	}
	names := slices.Clone(q.Query.Dataset.RowKey)
	for _, k := range q.Query.GroupBy {
		names = append(names, k.Name)
	}
	for _, name := range names {
		if at := index(name); at >= 0 {
			r.keys = append(r.keys, at)
		}
	}
	return r, nil
}

// Append appends the entity of a row.
func (r *Row) Append(buf []byte, values []metrics.Value) ([]byte, error) {
	buf = append(buf, '{')
	for i, at := range r.at {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, r.names[i]...)
		if at < 0 {
			buf = append(buf, '"')
			buf = append(buf, r.id(values)...)
			buf = append(buf, '"')
			continue
		}
		var err error
		if buf, err = r.value(buf, values[at], r.all[at].Kind); err != nil {
			return buf, err
		}
	}
	return append(buf, '}'), nil
}

func (r *Row) value(buf []byte, v metrics.Value, k metrics.Kind) ([]byte, error) {
	switch {
	case !v.Valid:
		return append(buf, "null"...), nil
	case k.Decimal() || k.Integer():
		if r.quoted {
			buf = append(buf, '"')
		}
		if k.Integer() {
			buf = strconv.AppendInt(buf, v.Int, 10)
		} else {
			buf = append(buf, v.Text...) // plain decimals are numbers of JSON
		}
		if r.quoted {
			buf = append(buf, '"')
		}
		return buf, nil
	case k == metrics.Bool:
		return strconv.AppendBool(buf, v.Bool), nil
	case k == metrics.Time:
		buf = append(buf, '"')
		buf = v.Time.UTC().Truncate(time.Microsecond).AppendFormat(buf, time.RFC3339Nano)
		return append(buf, '"'), nil
	}
	text, err := json.Marshal(v.Text)
	return append(buf, text...), err
}

// id is a digest of what identifies the row: the same in any order and selection.
func (r *Row) id(values []metrics.Value) string {
	r.sum = r.sum[:0]
	for _, at := range r.keys {
		if !values[at].Valid {
			r.sum = append(r.sum, 0)
			continue
		}
		text := values[at].String(r.all[at].Kind)
		r.sum = strconv.AppendInt(append(r.sum, 1), int64(len(text)), 10)
		r.sum = append(append(r.sum, ' '), text...)
	}
	sum := sha256.Sum256(r.sum)
	return hex.EncodeToString(sum[:16])
}
