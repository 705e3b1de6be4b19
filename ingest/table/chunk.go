package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// leaf is a column of a Parquet file with values, not a group.
type leaf struct {
	number   int // among the leaves of the file
	physical parquet.Type
	stored   storage
	unit     arrow.TimeUnit
	maxDef   int32 // definition level of a value
	maxRep   int32
}

// chunk reads the values of a leaf in one row group.
type chunk struct {
	leaf
	pages file.PageReader
	// The values of the dictionary's numbers: its words, or, if of is set, those of shared; of
	// maps the file's numbers to shared's.
	dictionary *facets
	size       int // words of the dictionary
	of         []int32
	shared     *sharedWords
	// The current page.
	left    int // values and nulls
	plain   []byte
	indexes hybrid
	coded   bool // by the dictionary
	rep     hybrid
	def     hybrid
	// Scratch memory of one request.
	levels []int32
	ids    []int32
	starts []int32
}

var (
	errPages  = errors.New("a column ends before its rows do")
	errPlain  = errors.New("a page ends in the middle of a value")
	errLevels = errors.New("levels do not fit their page")
	errWord   = errors.New("a value is not in its dictionary")
)

func openChunk(l leaf, group *file.RowGroupReader, w *Want, shared *sharedWords) (*chunk, error) {
	pages, err := group.GetColumnPageReader(l.number)
	if err != nil {
		return nil, err
	}
	c := &chunk{leaf: l, pages: pages, shared: shared}
	c.dictionary = &facets{values: values{stored: l.stored, unit: l.unit}, want: w}
	return c, nil
}

func (c *chunk) close() error { return c.pages.Close() }

// page makes sure that the current page has values left.
func (c *chunk) page() error {
	more, err := c.nextPage()
	if err == nil && !more {
		return errPages
	}
	return err
}

// nextPage advances to a page with values left; more is false after the last.
func (c *chunk) nextPage() (more bool, err error) {
	for c.left == 0 {
		if !c.pages.Next() {
			return false, c.pages.Err()
		}
		switch p := c.pages.Page().(type) {
		case *file.DictionaryPage:
			err = c.words(p)
		case *file.DataPageV1:
			err = c.pageV1(p)
		case *file.DataPageV2:
			err = c.pageV2(p)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// words reads the dictionary.
func (c *chunk) words(p *file.DictionaryPage) error {
	if c.dictionary.lasting != nil {
		return errors.New("a column has two dictionaries")
	}
	if e := parquet.Encoding(p.Encoding()); e != parquet.Encodings.Plain && e != parquet.Encodings.PlainDict {
		return fmt.Errorf("a dictionary is encoded as %s", e)
	}
	all := values{stored: c.stored, unit: c.unit}
	c.plain = p.Data()
	if err := c.plainValues(&all, int(p.NumValues())); err != nil {
		return err
	}
	c.plain, c.size = nil, all.len()
	if c.shared != nil && c.stored == storedText && c.size <= maxShared {
		c.of, c.dictionary = c.shared.numbers(all.text)
		return nil
	}
	f := *c.dictionary
	f.lasting = &words{}
	c.dictionary = f.with(&all)
	return nil
}

func (c *chunk) pageV1(p *file.DataPageV1) error {
	data := p.Data()
	level := func(most int32, encoding parquet.Encoding) (h hybrid, err error) {
		if most == 0 {
			return h, nil
		}
		if encoding != parquet.Encodings.RLE || len(data) < 4 {
			return h, errLevels
		}
		n := binary.LittleEndian.Uint32(data)
		if uint64(n) > uint64(len(data)-4) {
			return h, errLevels
		}
		h = newHybrid(data[4:4+n], uint(bits.Len32(uint32(most))))
		data = data[4+n:]
		return h, nil
	}
	var err error
	if c.rep, err = level(c.maxRep, p.RepetitionLevelEncoding()); err != nil {
		return err
	}
	if c.def, err = level(c.maxDef, p.DefinitionLevelEncoding()); err != nil {
		return err
	}
	return c.body(p, data)
}

func (c *chunk) pageV2(p *file.DataPageV2) error {
	data := p.Data()
	rep, def := int(p.RepetitionLevelByteLen()), int(p.DefinitionLevelByteLen())
	if rep < 0 || def < 0 || rep > len(data) || def > len(data)-rep {
		return errLevels
	}
	c.rep = newHybrid(data[:rep], uint(bits.Len32(uint32(c.maxRep))))
	c.def = newHybrid(data[rep:rep+def], uint(bits.Len32(uint32(c.maxDef))))
	return c.body(p, data[rep+def:])
}

// body reads the values of a page after its levels.
func (c *chunk) body(p file.Page, data []byte) error {
	c.left = int(p.NumValues())
	switch e := parquet.Encoding(p.Encoding()); e {
	case parquet.Encodings.Plain:
		c.coded, c.plain = false, data
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		if c.dictionary.lasting == nil {
			return errors.New("a page refers to a dictionary that is not there")
		}
		c.coded = true
		if len(data) == 0 { // only nulls
			c.indexes = hybrid{}
			break
		}
		if data[0] > 32 {
			return errRuns
		}
		c.indexes = newHybrid(data[1:], uint(data[0]))
	default:
		return fmt.Errorf("values are encoded as %s", e)
	}
	return nil
}

// plainValues appends n values of the current page to v.
func (c *chunk) plainValues(v *values, n int) error {
	switch c.physical {
	case parquet.Types.ByteArray:
		return c.plainTexts(v, n)
	case parquet.Types.Double:
		raw, err := c.bytes(8, n)
		v.f64 = slices.Grow(v.f64, len(raw)/8)
		for ; len(raw) > 0; raw = raw[8:] {
			v.f64 = append(v.f64, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		}
		return err
	case parquet.Types.Int64:
		raw, err := c.bytes(8, n)
		v.i64 = slices.Grow(v.i64, len(raw)/8)
		for ; len(raw) > 0; raw = raw[8:] {
			v.i64 = append(v.i64, int64(binary.LittleEndian.Uint64(raw)))
		}
		return err
	case parquet.Types.Int32:
		raw, err := c.bytes(4, n)
		for ; len(raw) > 0; raw = raw[4:] {
			v.i64 = append(v.i64, int64(int32(binary.LittleEndian.Uint32(raw))))
		}
		return err
	default: // Int96: nanoseconds of a day, then the Julian day
		const epoch, day = 2440588, 24 * 60 * 60 * 1_000_000_000
		raw, err := c.bytes(12, n)
		for ; len(raw) > 0; raw = raw[12:] {
			v.i64 = append(v.i64, (int64(binary.LittleEndian.Uint32(raw[8:]))-epoch)*day+int64(binary.LittleEndian.Uint64(raw)))
		}
		return err
	}
}

func (c *chunk) bytes(size, n int) ([]byte, error) {
	if n < 0 || n > len(c.plain)/size {
		return nil, errPlain
	}
	raw := c.plain[:n*size]
	c.plain = c.plain[n*size:]
	return raw, nil
}

// plainTexts appends texts that share one copy of their bytes.
func (c *chunk) plainTexts(v *values, n int) error {
	if n < 0 || n > len(c.plain)/4 {
		return errPlain
	}
	c.starts = c.starts[:0]
	at := 0
	for range n {
		if len(c.plain)-at < 4 {
			return errPlain
		}
		size := binary.LittleEndian.Uint32(c.plain[at:])
		at += 4
		if uint64(size) > uint64(len(c.plain)-at) {
			return errPlain
		}
		c.starts = append(c.starts, int32(at), int32(at)+int32(size))
		at += int(size)
	}
	all := string(c.plain[:at])
	c.plain = c.plain[at:]
	v.text = slices.Grow(v.text, n)
	for i := 0; i < len(c.starts); i += 2 {
		v.text = append(v.text, all[c.starts[i]:c.starts[i+1]])
	}
	return nil
}

// codes reads indexes of the dictionary.
func (c *chunk) codes(dst []int32) error {
	if err := c.indexes.fill(dst); err != nil {
		return err
	}
	if c.of != nil {
		for i, k := range dst {
			if uint32(k) >= uint32(len(c.of)) {
				return errWord
			}
			dst[i] = c.of[k]
		}
		return nil
	}
	n := uint32(c.size)
	for _, k := range dst {
		if uint32(k) >= n {
			return errWord
		}
	}
	return nil
}

func grow(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, max(n, batchRows))[:n]
	}
	return s[:n]
}
