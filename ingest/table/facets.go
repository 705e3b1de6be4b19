package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// storage is how the values of a column are stored.
type storage uint8

const (
	storedText storage = iota
	storedDouble
	storedInt
	storedTime
	storedPairs
)

// values are the values of one column, to which rows refer by number, so that each is
// interpreted once: the words of a dictionary, or the values of one batch if they are not known
// to repeat. Only the decoding goroutine adds to them.
type values struct {
	stored storage
	unit   arrow.TimeUnit // of storedTime
	text   []string
	f64    []float64
	i64    []int64
	sets   [][]Pair
}

// facets are the prepared forms of values; other forms are computed on request. Published
// facets do not change: more values make new facets, whose slices continue the old ones.
type facets struct {
	values
	want     *Want
	lasting  *words // set when later batches refer to the same values
	raw      []string
	amounts  []money.Amount
	amount   []state
	instants []period.Second
	instant  []state
	pairs    [][]Pair
	hashes   []Hash
	bad      []bool // values that are invalid for their column
	anyBad   bool
}

// state distinguishes values, nulls and invalid values.
type state uint8

const (
	isValue state = iota
	isNull
	isBad
)

func (v *values) len() int {
	switch v.stored {
	case storedDouble:
		return len(v.f64)
	case storedInt, storedTime:
		return len(v.i64)
	case storedPairs:
		return len(v.sets)
	}
	return len(v.text)
}

// with returns facets of all of v, which begins with the values of f.
func (f *facets) with(v *values) *facets {
	n := v.len()
	if n == f.len() {
		return f
	}
	more := *f
	more.values = *v
	if w := f.want; w != nil {
		more.prepare(w, n)
	}
	return &more
}

func (f *facets) prepare(w *Want, n int) {
	if w.Raw {
		f.prepareRaw(n)
	}
	switch w.Form {
	case Number:
		f.amounts, f.amount = slices.Grow(f.amounts, n-len(f.amounts)), slices.Grow(f.amount, n-len(f.amount))
		for k := len(f.amounts); k < n; k++ {
			a, s, _ := f.amountOf(k)
			f.amounts, f.amount = append(f.amounts, a), append(f.amount, s)
		}
	case Time:
		for k := len(f.instants); k < n; k++ {
			at, ok, err := f.instantOf(k)
			f.instants, f.instant = append(f.instants, at), append(f.instant, stateOf(ok, err))
		}
	case Pairs:
		if f.stored == storedPairs {
			break
		}
		for k := len(f.pairs); k < n; k++ {
			p, _ := f.pairsOf(k)
			f.pairs = append(f.pairs, p)
		}
	}
	if w.Hash != nil {
		f.hashes, f.bad = slices.Grow(f.hashes, n-len(f.hashes)), slices.Grow(f.bad, n-len(f.bad))
		one := valueRow{f: f}
		for one.k = len(f.hashes); one.k < n; one.k++ {
			h, err := w.Hash(&one, w.Pos)
			f.hashes, f.bad = append(f.hashes, h), append(f.bad, err != nil)
			f.anyBad = f.anyBad || err != nil
		}
	}
}

// prepareRaw prepares the texts. Those of a text column are mostly the stored ones.
func (f *facets) prepareRaw(n int) {
	if f.stored == storedText && len(f.raw) == 0 && !slices.ContainsFunc(f.text, nullWord) {
		f.raw = f.text[:n:n]
		return
	}
	f.raw = slices.Grow(f.raw, n-len(f.raw))
	if f.stored == storedDouble {
		f.raw = appendDoubles(f.raw, f.f64[len(f.raw):n])
		return
	}
	for k := len(f.raw); k < n; k++ {
		f.raw = append(f.raw, f.rawOf(k))
	}
}

// appendDoubles appends the texts of doubles, which share their memory.
func appendDoubles(dst []string, doubles []float64) []string {
	text := make([]byte, 0, 16*len(doubles))
	ends := make([]int, len(doubles))
	for i, f := range doubles {
		text = appendDouble(text, f)
		ends[i] = len(text)
	}
	all, from := string(text), 0
	for _, to := range ends {
		dst = append(dst, all[from:to])
		from = to
	}
	return dst
}

// appendDouble appends the shortest decimal text that reads back as f.
func appendDouble(dst []byte, f float64) []byte {
	switch {
	case f == 0:
		return append(dst, '0') // also turns -0 into 0
	case math.IsNaN(f) || math.IsInf(f, 0):
		return strconv.AppendFloat(dst, f, 'g', -1, 64)
	}
	// Bills have up to ten decimals. A decimal of up to 15 digits that reads back as f is the only
	// such one, so its digits are the shortest.
	const decimals, unit = 10, 1e10
	scaled := math.RoundToEven(f * unit)
	if math.Abs(scaled) >= 1e15 || scaled/unit != f {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	n := int64(scaled)
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/unit, 10)
	rest := n % unit
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	at := len(dst)
	for range decimals {
		dst = append(dst, '0')
	}
	for i := at + decimals - 1; rest > 0; i-- {
		dst[i] = byte('0' + rest%10)
		rest /= 10
	}
	return bytes.TrimRight(dst, "0")
}

// nullWord reports whether a text other than "" is a spelling of no value.
func nullWord(s string) bool { return len(s) == 4 && IsNull(s) }

func stateOf(ok bool, err error) state {
	switch {
	case err != nil:
		return isBad
	case !ok:
		return isNull
	}
	return isValue
}

func (v *values) rawOf(k int) string {
	switch v.stored {
	case storedDouble:
		return rawDouble(v.f64[k])
	case storedInt:
		return strconv.FormatInt(v.i64[k], 10)
	case storedTime:
		return arrow.Timestamp(v.i64[k]).ToTime(v.unit).UTC().Format(time.RFC3339Nano)
	case storedPairs:
		return rawPairs(v.sets[k])
	}
	if t := v.text[k]; !IsNull(t) {
		return t
	}
	return ""
}

func rawDouble(f float64) string { return appendDoubles(nil, []float64{f})[0] }

// rawPairs is the text that ParsePairs reads, "" for no pairs.
func rawPairs(pairs []Pair) string {
	if len(pairs) == 0 {
		return ""
	}
	type entry struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	list := make([]entry, len(pairs))
	for i, p := range pairs {
		list[i] = entry(p)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "" // cannot happen: strings always have a JSON text
	}
	return string(text)
}

func (v *values) amountOf(k int) (money.Amount, state, error) {
	if v.stored == storedDouble {
		a, err := amountOfDouble(v.f64[k])
		return a, stateOf(err == nil, err), err
	}
	t := v.rawOf(k)
	if t == "" {
		return money.Amount{}, isNull, nil
	}
	a, err := money.Parse(t)
	return a, stateOf(err == nil, err), err
}

func (v *values) instantOf(k int) (period.Second, bool, error) {
	if v.stored == storedTime {
		return seconds(v.i64[k], v.unit), true, nil
	}
	return instantOfText(v.rawOf(k))
}

func (v *values) pairsOf(k int) ([]Pair, error) {
	if v.stored == storedPairs {
		return v.sets[k], nil
	}
	t := v.rawOf(k)
	if t == "" {
		return nil, nil
	}
	p, err := ParsePairs(t)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", Clip(t), err)
	}
	return p, nil
}
