package report

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// rawRows are rows in PostgreSQL's binary form, such as pgx.Rows.
type rawRows interface {
	Next() bool
	RawValues() [][]byte // valid until the next call of Next
	FieldDescriptions() []pgconn.FieldDescription
	Err() error
	Close()
}

// reportRows decodes an answer as metrics.Rows. A row has the columns' own cells, and then a cell for each lead.
type reportRows struct {
	name   string
	cols   []metrics.Column
	rows   rawRows
	own    *decoder
	leads  []*led
	values []metrics.Value
	err    error
	end    func() // ends the report's own transaction; nil if the caller's is used
	notes  []string
}

func newReportRows(name string, cols []metrics.Column, leads []lead, rows rawRows) *reportRows {
	r := &reportRows{name: name, cols: cols, rows: rows, values: make([]metrics.Value, len(cols))}
	var own []int
	for i, col := range cols {
		if !slices.ContainsFunc(leads, func(l lead) bool { return l.has(col.Name) }) {
			own = append(own, i)
		}
	}
	r.own = newDecoder(cols, own)
	for _, l := range leads {
		r.leads = append(r.leads, &led{at: l.places(cols), known: map[string][]metrics.Value{}})
	}
	return r
}

// Columns implements metrics.Rows.
func (r *reportRows) Columns() []metrics.Column { return r.cols }

// Next implements metrics.Rows.
func (r *reportRows) Next() bool {
	if r.err != nil || !r.rows.Next() {
		return false
	}
	raw := r.rows.RawValues()
	err := r.own.check(r.rows.FieldDescriptions())
	if err == nil {
		err = r.own.decode(raw, r.values)
	}
	if err != nil {
		r.err = fmt.Errorf("report %s: %w", r.name, err)
		r.rows.Close()
		return false
	}
	for i, l := range r.leads {
		l.widen(raw[len(r.own.at)+i], r.values)
	}
	return true
}

// Values implements metrics.Rows.
func (r *reportRows) Values() []metrics.Value { return r.values }

// Err implements metrics.Rows.
func (r *reportRows) Err() error {
	if r.err != nil {
		return r.err
	}
	if err := r.rows.Err(); err != nil {
		return fmt.Errorf("report %s: %w", r.name, err)
	}
	return nil
}

// Close implements metrics.Rows.
func (r *reportRows) Close() {
	r.rows.Close()
	if r.end != nil {
		r.end()
	}
}

// endBy sets what ends the report's own transaction.
func (r *reportRows) endBy(end func()) { r.end = end }

// Notes implements metrics.Noted.
func (r *reportRows) Notes() []string { return r.notes }

// recentTexts is how many texts of a column are remembered, so that a text that repeats is not allocated again. It is a
// power of two.
const recentTexts = 256

// decoder turns cells of rows in binary form into values.
type decoder struct {
	cols    []metrics.Column
	at      []int // the column of each cell
	recent  [][]string
	text    []byte // ids and decimals of a row, which become one string
	ends    []int  // where each of them ends
	of      []int  // its column
	checked bool
}

func newDecoder(cols []metrics.Column, at []int) *decoder {
	d := &decoder{cols: cols, at: at, recent: make([][]string, len(cols))}
	for _, i := range at {
		if cols[i].Kind == metrics.Text {
			d.recent[i] = make([]string, recentTexts)
		}
	}
	return d
}

// forms are the types that the cells of a kind have.
var forms = map[metrics.Kind][]uint32{
	metrics.Text: {pgtype.TextOID, pgtype.VarcharOID, pgtype.NameOID}, metrics.ID: {pgtype.UUIDOID},
	metrics.Time: {pgtype.TimestamptzOID}, metrics.Bool: {pgtype.BoolOID},
	metrics.Money: {pgtype.NumericOID}, metrics.Quantity: {pgtype.NumericOID}, metrics.Ratio: {pgtype.NumericOID},
	metrics.Count:    {pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID},
	metrics.Duration: {pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID},
}

// check compares the types of the first row's cells with the kinds of their columns.
func (d *decoder) check(fields []pgconn.FieldDescription) error {
	if d.checked {
		return nil
	}
	d.checked = true
	if len(fields) < len(d.at) {
		return fmt.Errorf("%d cells for %d columns", len(fields), len(d.at))
	}
	for i, at := range d.at {
		col, f := d.cols[at], fields[i]
		if !slices.Contains(forms[col.Kind], f.DataTypeOID) {
			return fmt.Errorf("column %s is of kind %s, and the server sends type %d", col.Name, col.Kind, f.DataTypeOID)
		}
		if f.Format != pgtype.BinaryFormatCode && col.Kind != metrics.Text {
			return errors.New("the server sends values as text: remove default_query_exec_mode from the address of the database")
		}
	}
	return nil
}

// decode reads the cells of a row into values of its columns.
func (d *decoder) decode(raw [][]byte, values []metrics.Value) error {
	d.text, d.ends, d.of = d.text[:0], d.ends[:0], d.of[:0]
	for i, at := range d.at {
		b, v := raw[i], &values[at]
		if b == nil {
			*v = metrics.Null
			continue
		}
		v.Valid = true
		var err error
		switch kind := d.cols[at].Kind; kind {
		case metrics.Text:
			v.Text = d.recently(at, b)
		case metrics.ID:
			if id := ledger.ID(b); id.IsZero() {
				*v = metrics.Null
			} else {
				d.text = hex.AppendEncode(d.text, id[:])
				d.ends, d.of = append(d.ends, len(d.text)), append(d.of, at)
			}
		case metrics.Time:
			v.Time, err = pg.ParseTime(b)
		case metrics.Bool:
			v.Bool = b[0] != 0
		case metrics.Count, metrics.Duration:
			v.Int = integer(b)
		default:
			amount, parseErr := pg.ParseNumeric(b)
			err = parseErr
			d.text = amount.Append(d.text)
			d.ends, d.of = append(d.ends, len(d.text)), append(d.of, at)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", d.cols[at].Name, err)
		}
	}
	text, begin := string(d.text), 0
	for i, at := range d.of {
		values[at].Text = text[begin:d.ends[i]]
		begin = d.ends[i]
	}
	return nil
}

// recently is b as a string: the same as lately, if it is among the texts of its column that are remembered.
func (d *decoder) recently(at int, b []byte) string {
	slot := uint32(len(b))
	for _, c := range b {
		slot = slot*16777619 ^ uint32(c)
	}
	recent := &d.recent[at][(slot^slot>>16)%recentTexts]
	if *recent != string(b) {
		*recent = string(b)
	}
	return *recent
}

// integer is a smallint, an integer or a bigint.
func integer(b []byte) int64 {
	switch len(b) {
	case 2:
		return int64(int16(binary.BigEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b)))
	}
	return int64(binary.BigEndian.Uint64(b))
}
