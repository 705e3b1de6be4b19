package export

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"gpuledger/metrics"
)

// spoolMemory bytes of an answer are held in memory; the rest goes to a file.
const spoolMemory = 16 << 20

// How a cell is held.
const (
	cellNull  = iota
	cellSame  // as in the row before
	cellText  // length, bytes
	cellInt   // zigzag varint
	cellSmall // a decimal: coefficient as zigzag varint, number of decimals as a byte
	cellYes
	cellNo
	cellWord // the number of a word of the column
)

// Bounds of the words of a column.
const (
	mostWords  = 4096
	wordsBytes = 128 << 10
)

// words are the texts and ids of a column, as long as they are few: a cell is the number of its word, and a dictionary
// of a Parquet file is the list.
type words struct {
	list []string
	of   map[string]uint64 // nil: there are too many
	size int
}

// number is the number of a text, which becomes a word if there is room.
func (w *words) number(text string) (uint64, bool) {
	n, ok := w.of[text]
	if ok || w.of == nil {
		return n, ok
	}
	if w.size += len(text); len(w.list) == mostWords || w.size > wordsBytes {
		w.of = nil
		return 0, false
	}
	n = uint64(len(w.list))
	w.list = append(w.list, text)
	w.of[text] = n
	return n, true
}

// all reports whether all cells of a column are words.
func (w *words) all() bool { return w.of != nil && len(w.list) > 0 }

// sampled is how many cells of a decimal column are looked at to decide about a dictionary.
const sampled = 8192

// variety is how many of the first cells of a decimal column differ from all before.
type variety struct {
	seen        map[int64]struct{}
	cells, news int
}

func (v *variety) note(coef int64) {
	if v.cells == sampled {
		v.seen = nil
		return
	}
	if v.seen == nil {
		v.seen = map[int64]struct{}{}
	}
	v.cells++
	if _, known := v.seen[coef]; !known {
		v.seen[coef] = struct{}{}
		v.news++
	}
}

// mostly reports whether most of these cells have a value that no cell above them has.
func (v *variety) mostly() bool { return v.news*2 > v.cells }

// spool holds the rows of an answer until the digits of all its columns are known: the types of Parquet and Arrow stand
// before the first value. A cell is one byte where it repeats the row above, as most keys do.
type spool struct {
	cols   []metrics.Column
	digits []digits // of decimal columns
	words  []words  // of columns of texts and ids
	varied []variety
	rows   int

	last []metrics.Value
	most int      // bytes held in memory
	mem  []byte   // the first of them, whole rows
	file *os.File // the rest; nil while memory suffices
	out  *bufio.Writer
}

// newSpool reads rows to their end and holds at most so many bytes of them in memory. The caller closes the spool.
func newSpool(rows metrics.Rows, most int) (_ *spool, err error) {
	cols := rows.Columns()
	s := &spool{cols: cols, digits: make([]digits, len(cols)), last: make([]metrics.Value, len(cols)), most: most,
		words: make([]words, len(cols)), varied: make([]variety, len(cols))}
	for i, c := range cols {
		if c.Kind == metrics.Text || c.Kind == metrics.ID {
			s.words[i].of = map[string]uint64{}
		}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	var line []byte
	for rows.Next() {
		s.rows++
		line = line[:0]
		for i, v := range rows.Values() {
			if s.rows > 1 && v == s.last[i] {
				line = append(line, cellSame)
				continue
			}
			s.last[i] = v
			if line, err = s.cell(line, i, v); err != nil {
				return nil, fmt.Errorf("row %d, column %s: %w", s.rows, cols[i].Name, err)
			}
		}
		if err := s.add(line); err != nil {
			return nil, err
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if s.out != nil {
		err = s.out.Flush()
	}
	return s, err
}

func (s *spool) cell(b []byte, i int, v metrics.Value) ([]byte, error) {
	switch k := s.cols[i].Kind; {
	case !v.Valid:
		return append(b, cellNull), nil
	case k.Decimal():
		if coef, d, ok := coefficient(v.Text); ok {
			s.digits[i] = s.digits[i].with(d)
			s.varied[i].note(coef)
			return append(binary.AppendVarint(append(b, cellSmall), coef), byte(d.scale)), nil
		}
		d, err := digitsOf(v.Text)
		if err != nil {
			return nil, err
		}
		s.digits[i] = s.digits[i].with(d)
		return appendText(b, v.Text), nil
	case k.Integer():
		return binary.AppendVarint(append(b, cellInt), v.Int), nil
	case k == metrics.Time:
		return binary.AppendVarint(append(b, cellInt), v.Time.UnixMicro()), nil
	case k == metrics.Bool && v.Bool:
		return append(b, cellYes), nil
	case k == metrics.Bool:
		return append(b, cellNo), nil
	default:
		if n, ok := s.words[i].number(v.Text); ok {
			return binary.AppendUvarint(append(b, cellWord), n), nil
		}
		return appendText(b, v.Text), nil
	}
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(append(b, cellText), uint64(len(s))), s...)
}

// add holds a row: in memory, and from the first row that does not fit on in a file.
func (s *spool) add(line []byte) error {
	if s.out == nil && len(s.mem)+len(line) <= s.most {
		s.mem = append(s.mem, line...)
		return nil
	}
	if s.out == nil {
		f, err := os.CreateTemp("", "gpuledger-answer-*")
		if err != nil {
			return fmt.Errorf("an answer of this size needs a temporary file (set TMPDIR to a folder with room): %w", err)
		}
		s.file, s.out = f, bufio.NewWriterSize(f, 1<<20)
		if err := os.Remove(f.Name()); err != nil { // the open file stays readable, and the system frees it after a crash
			return err
		}
	}
	_, err := s.out.Write(line)
	return err
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// spoolReader reads the held bytes from the start.
type spoolReader struct {
	*bufio.Reader
	err error
}

func (s *spool) reader() spoolReader {
	var in io.Reader = bytes.NewReader(s.mem)
	var err error
	if s.file != nil {
		_, err = s.file.Seek(0, io.SeekStart)
		in = io.MultiReader(in, s.file)
	}
	return spoolReader{bufio.NewReaderSize(in, 1<<20), err}
}

// read passes all cells in order; a row's last cell is that of the last column.
func (s *spool) read(cell func(col int, c *spooled) error) error {
	r := s.reader()
	if r.err != nil {
		return r.err
	}
	last := make([]spooled, len(s.cols))
	for range s.rows {
		for i := range s.cols {
			if err := last[i].next(r.Reader, s.words[i].list); err != nil {
				return err
			}
			if err := cell(i, &last[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// spooled is a cell read back.
type spooled struct {
	tag   byte
	num   int64  // of an integer, of a time in microseconds, of a small decimal its coefficient, of a word its number
	scale byte   // of a small decimal
	text  string // of a text, a word and a long decimal
}

func (c *spooled) next(r *bufio.Reader, words []string) (err error) {
	tag, err := r.ReadByte()
	if err != nil || tag == cellSame {
		return err
	}
	c.tag = tag
	switch tag {
	case cellInt:
		c.num, err = binary.ReadVarint(r)
	case cellSmall:
		if c.num, err = binary.ReadVarint(r); err == nil {
			c.scale, err = r.ReadByte()
		}
	case cellWord:
		var n uint64
		if n, err = binary.ReadUvarint(r); err == nil {
			c.num, c.text = int64(n), words[n]
		}
	case cellText:
		var n uint64
		if n, err = binary.ReadUvarint(r); err != nil {
			return err
		}
		b := make([]byte, n)
		_, err = io.ReadFull(r, b)
		c.text = string(b)
	}
	return err
}
