package remotewrite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"gpuledger/ingest/series"
)

// The messages of these tests are written with protobuf's own package.

func text(b []byte, n protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), s)
}

func inner(b []byte, n protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), m)
}

func number(b []byte, n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
}

func double(b []byte, n protowire.Number, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, n, protowire.Fixed64Type), math.Float64bits(v))
}

func label(k, v string) []byte { return text(text(nil, 1, k), 2, v) }

func TestOrderAndUnknownFieldsDoNotMatter(t *testing.T) {
	sample := double(number(number(nil, 2, 1_700_000_000_000), 9, 5), 1, 1.5) // timestamp first, an unknown field
	ts := inner(nil, 1, label("__name__", "m"))
	ts = inner(ts, 2, sample)
	ts = inner(ts, 7, []byte("what is this"))
	ts = inner(ts, 1, text(label("a", "x"), 3, "unknown")) // labels apart
	ts = inner(ts, 3, []byte{})                            // exemplar
	ts = inner(ts, 4, []byte{})                            // histogram
	ts = inner(ts, 2, nil)                                 // all defaults: 0 at 0
	msg := inner(nil, 3, []byte("metadata"))
	msg = inner(msg, 1, ts)
	msg = number(msg, 15, 1)
	got, totals := walk(t, V1, msg)
	want := []told{
		{Name: "m", Labels: series.Labels{{Name: "a", Value: "x"}}, Samples: []Sample{{1_700_000_000_000, 1.5}, {}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if totals != (Totals{Series: 1, Samples: 2, Histograms: 1, Exemplars: 1}) {
		t.Error(totals)
	}
}

func TestSymbolsMayBeAnywhereAndReferencesUnpacked(t *testing.T) {
	sample := number(double(nil, 1, 2.5), 2, 1_700_000_000_000)
	sample = number(sample, 3, 1_600_000_000_000) // start timestamp
	ts := number(number(nil, 1, 1), 1, 2)         // __name__ m, unpacked
	ts = inner(ts, 1, []byte{3, 4})               // a x, packed
	ts = inner(ts, 2, sample)
	ts = inner(ts, 3, nil)
	ts = inner(ts, 4, nil)
	ts = inner(ts, 5, number(nil, 1, 2)) // metadata
	msg := inner(nil, 5, ts)
	for _, s := range []string{"", "__name__", "m", "a", "x"} {
		msg = text(msg, 4, s)
	}
	got, totals := walk(t, V2, msg)
	want := []told{
		{Name: "m", Labels: series.Labels{{Name: "a", Value: "x"}}, Samples: []Sample{{1_700_000_000_000, 2.5}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if totals != (Totals{Series: 1, Samples: 1, Histograms: 1, Exemplars: 1}) {
		t.Error(totals)
	}
}

func TestLabelRules(t *testing.T) {
	for _, c := range []struct {
		pairs []string
		want  string
	}{
		{[]string{"__name__", "m", "a", "x"}, ""},
		{[]string{"A", "x", "__name__", "m"}, ""}, // capitals sort before the name
		{[]string{"__name__", "m", "a", ""}, ""},  // an empty value is an absent label
		{[]string{"__name__", "m", "a", "x", "a", "x"}, "repeated label"},
		{[]string{"__name__", "m", "b", "x", "a", "x"}, "labels not sorted"},
		{[]string{"a", "x", "__name__", "m"}, "labels not sorted"},
		{[]string{"a", "x"}, "no metric name"},
		{[]string{"__name__", ""}, "no metric name"},
		{nil, "no metric name"},
		{[]string{"", "x", "__name__", "m"}, "empty label name"},
		{[]string{"__name__", "m\xff"}, "label is not utf-8"},
		{[]string{"__name__", "m", "a\xff", "x"}, "label is not utf-8"},
		{[]string{"__name__", "m", "a", strings.Repeat("x", MaxLabelBytes)}, "labels too long"},
	} {
		var ts, refs, two []byte
		two = text(two, 4, "")
		for i := 0; i < len(c.pairs); i += 2 {
			ts = inner(ts, 1, label(c.pairs[i], c.pairs[i+1]))
			two = text(text(two, 4, c.pairs[i]), 4, c.pairs[i+1])
			refs = append(refs, byte(i+1), byte(i+2))
		}
		two = inner(two, 5, inner(nil, 1, refs))
		for v, msg := range map[Version][]byte{V1: inner(nil, 1, ts), V2: two} {
			got, _ := walk(t, v, msg)
			if got[0].Fault != c.want {
				t.Errorf("%v %q: %q, want %q", v, c.pairs, got[0].Fault, c.want)
			}
			if len(got[0].Labels) > 1 {
				t.Errorf("%v %q: %v", v, c.pairs, got[0].Labels)
			}
		}
	}
}

func TestReplicasAreOneSender(t *testing.T) {
	e := NewEncoder(V1)
	for _, r := range []string{"__replica__", "prometheus_replica", "replica"} {
		e.Series("m", series.Labels{{Name: r, Value: "a"}, {Name: "zone", Value: "z"}}, Sample{1, 1})
	}
	got, _ := walk(t, V1, e.Message())
	for _, x := range got {
		if x.Fault != "" || len(x.Labels) != 1 {
			t.Error(x)
		}
	}
}

func TestBrokenReferences(t *testing.T) {
	for name, refs := range map[string][]byte{
		"odd": {1, 2, 1}, "beyond": {1, 9}, "large": {1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	} {
		msg := text(text(text(nil, 4, ""), 4, "__name__"), 4, "m")
		msg = inner(msg, 5, inner(inner(nil, 1, refs), 2, nil))
		got, _ := walk(t, V2, msg)
		if got[0].Fault != "bad symbol reference" {
			t.Errorf("%s: %q", name, got[0].Fault)
		}
	}
}

func TestBrokenMessages(t *testing.T) {
	good := NewEncoder(V1)
	good.Series("m", series.Labels{{Name: "a", Value: "x"}}, Sample{1_700_000_000_000, 1})
	whole := bytes.Clone(good.Message())
	for i := 1; i < len(whole); i++ {
		var d Decoder
		if _, err := d.Walk(V1, whole[:i], func(*Series) error { return nil }); !errors.Is(err, ErrMalformed) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	for name, c := range map[string]struct {
		v   Version
		msg []byte
	}{
		"field 0":               {V1, []byte{0, 0}},
		"group":                 {V1, []byte{15<<3 | 3}},
		"series as number":      {V1, number(nil, 1, 1)},
		"sample as number":      {V1, inner(nil, 1, number(nil, 2, 1))},
		"value as varint":       {V1, inner(nil, 1, inner(nil, 2, number(nil, 1, 1)))},
		"timestamp as fixed":    {V1, inner(nil, 1, inner(nil, 2, double(nil, 2, 1)))},
		"endless varint":        {V1, slices.Repeat([]byte{0xff}, 30)},
		"length beyond":         {V1, []byte{10, 0xff, 0xff, 0xff, 0xff, 0x0f}},
		"length of 2^64":        {V1, append([]byte{10}, binary.AppendUvarint(nil, math.MaxUint64)...)},
		"symbol as number":      {V2, number(nil, 4, 1)},
		"first symbol":          {V2, text(nil, 4, "x")},
		"references cut":        {V2, inner(nil, 5, inner(nil, 1, []byte{0x80}))},
		"reference as a double": {V2, inner(nil, 5, double(nil, 1, 1))},
	} {
		var d Decoder
		if _, err := d.Walk(c.v, c.msg, func(*Series) error { return nil }); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPrintsDistinguishSeries(t *testing.T) {
	prints := func(v Version, seed uint64, f func(e *Encoder)) (out [][2]uint64) {
		e := NewEncoder(v)
		f(e)
		var d Decoder
		if _, err := d.Walk(v, e.Message(), func(s *Series) error {
			out = append(out, s.Print(seed))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	a := series.Labels{{Name: "a", Value: "xy"}, {Name: "b", Value: "z"}}
	b := series.Labels{{Name: "a", Value: "x"}, {Name: "b", Value: "yz"}}
	for _, v := range []Version{V1, V2} {
		p := prints(v, 1, func(e *Encoder) {
			e.Series("m", a, Sample{1, 1})
			e.Series("m", b)
			e.Series("m", a, Sample{2, 9})
		})
		if p[0] == p[1] || p[0] != p[2] {
			t.Error(v, p)
		}
		// Symbols numbered otherwise.
		q := prints(v, 1, func(e *Encoder) { e.Series("other", b); e.Series("m", a) })
		if q[1] != p[0] {
			t.Error(v, "another message gives another print")
		}
		if r := prints(v, 2, func(e *Encoder) { e.Series("m", a) }); r[0] == p[0] {
			t.Error(v, "the seed does not matter")
		}
	}
}

func TestUnpack(t *testing.T) {
	if _, err := Unpack(nil, []byte{0x80}, 100); !errors.Is(err, ErrMalformed) {
		t.Error(err)
	}
	var large *TooLargeError
	if _, err := Unpack(nil, binary.AppendUvarint(nil, 101), 100); !errors.As(err, &large) || large.Size != 101 {
		t.Error(err)
	}
	if _, err := Unpack(nil, append(binary.AppendUvarint(nil, 1<<20), 1), 1<<30); !errors.Is(err, ErrMalformed) {
		t.Error("a megabyte of one byte:", err)
	}
	got, err := Unpack(make([]byte, 0, 3), []byte{2, 1 << 2, 'a', 'b'}, 100)
	if err != nil || string(got) != "ab" {
		t.Error(got, err)
	}
}
