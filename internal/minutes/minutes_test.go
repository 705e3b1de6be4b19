package minutes

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

type sample struct {
	Minute, At int
	Value      int64
}

// samples draws from few minutes, offsets and values, so that ties happen.
var samples = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sample {
	return sample{
		rapid.IntRange(0, 4).Draw(t, "minute"), rapid.IntRange(0, 2).Draw(t, "at"), rapid.Int64Range(-2, 2).Draw(t, "value"),
	}
}), 0, 30)

func of(ss ...[]sample) ledger.Minutes {
	var m ledger.Minutes
	for _, s := range ss {
		for _, x := range s {
			Set(&m, x.Minute, x.At, x.Value)
		}
	}
	return m
}

func merged(ms ...ledger.Minutes) ledger.Minutes {
	var out ledger.Minutes
	for i := range ms {
		Merge(&out, &ms[i])
	}
	return out
}

func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := samples.Draw(t, "a"), samples.Draw(t, "b"), samples.Draw(t, "c")
		x, y, z := of(a), of(b), of(c)
		if merged(x, y) != merged(y, x) {
			t.Fatal("not commutative")
		}
		if merged(merged(x, y), z) != merged(x, merged(y, z)) {
			t.Fatal("not associative")
		}
		if merged(x, x) != x || merged(x, y, x) != merged(x, y) {
			t.Fatal("not idempotent")
		}
		if merged(x, y) != of(a, b) {
			t.Fatal("merging vectors differs from setting all samples")
		}
	})
}

func TestSetNewestWinsThenLarger(t *testing.T) {
	m := of([]sample{{3, 10, 5}, {3, 9, 99}, {3, 10, 4}, {3, 10, 6}, {3, 11, 1}})
	if v, ok := At(&m, 3); !ok || v != 1 {
		t.Fatalf("got %d %v, want 1", v, ok)
	}
	for _, bad := range []sample{{-1, 0, 1}, {60, 0, 1}, {0, -1, 1}, {0, 60000, 1}} {
		before := m
		if Set(&m, bad.Minute, bad.At, bad.Value) || m != before {
			t.Errorf("%+v was taken", bad)
		}
	}
	if _, ok := At(&m, 60); ok {
		t.Error("minute 60 is known")
	}
}

var vectors = rapid.Custom(func(t *rapid.T) map[string]ledger.Minutes {
	names := rapid.SliceOfNDistinct(rapid.OneOf(rapid.SampledFrom(wellKnown[:]), rapid.StringN(0, 12, 40)), 0, 6,
		rapid.ID[string]).Draw(t, "names")
	out := map[string]ledger.Minutes{}
	for _, n := range names {
		var m ledger.Minutes
		known := rapid.Uint64Range(0, AllKnown).Draw(t, "known")
		if rapid.Bool().Draw(t, "full") {
			known = AllKnown
		}
		sameAt, same := rapid.Bool().Draw(t, "sameAt"), rapid.Bool().Draw(t, "sameValue")
		value := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 1_000_000),
			rapid.Map(rapid.Int64Range(0, 90), func(v int64) int64 { return v << 20 }))
		at0, v0 := rapid.IntRange(0, 59999).Draw(t, "at"), value.Draw(t, "value")
		for i := range 60 {
			if known>>i&1 == 0 {
				continue
			}
			at, v := at0, v0
			if !sameAt {
				at = rapid.IntRange(0, 59999).Draw(t, "at")
			}
			if !same {
				v = value.Draw(t, "value")
			}
			Set(&m, i, at, v)
		}
		if m.Known != 0 {
			out[n] = m
		}
	}
	return out
})

func TestCodecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := vectors.Draw(t, "vectors")
		b, err := Encode(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Decode[string](b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(in, out); d != "" {
			t.Fatal(d)
		}
		again, err := Encode(nil, out)
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("bytes are not deterministic: %v", err)
		}
	})
}

func TestMergeEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := vectors.Draw(t, "x"), vectors.Draw(t, "y")
		a, errA := Encode(nil, x)
		b, errB := Encode(nil, y)
		ab, errAB := MergeEncoded(a, b)
		ba, errBA := MergeEncoded(b, a)
		want, err := Encode(nil, mergedMaps(x, y))
		if err := errors.Join(errA, errB, errAB, errBA, err); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(ab, ba) || !bytes.Equal(ab, want) {
			t.Fatal("merging packed sets differs from merging maps")
		}
	})
	if got, err := MergeEncoded(nil, []byte{version, 0, 0}); err != nil || len(got) != 3 {
		t.Errorf("empty side: %v %v", got, err)
	}
}

func TestExtremes(t *testing.T) {
	m := of([]sample{{0, 0, math.MinInt64}, {1, 59999, math.MaxInt64}, {2, 1, 0}, {59, 2, math.MinInt64}})
	in := map[ledger.Signal]ledger.Minutes{ledger.SignalPower: m}
	b, err := Encode(nil, in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Decode[ledger.Signal](b)
	if err != nil || out[ledger.SignalPower] != m {
		t.Fatalf("%v %v", out, err)
	}
}

func TestEncodeRefusesWhatDecodeWould(t *testing.T) {
	m := of([]sample{{0, 0, 1}})
	if _, err := Encode(nil, map[string]ledger.Minutes{strings.Repeat("x", MaxName+1): m}); err == nil {
		t.Error("a long name was taken")
	}
	many := map[string]ledger.Minutes{}
	for i := range MaxVectors + 1 {
		many[fmt.Sprint(i)] = m
	}
	if _, err := Encode(nil, many); err == nil {
		t.Error("too many vectors were taken")
	}
}

func TestDecodeRefusals(t *testing.T) {
	good, err := Encode(nil, map[string]ledger.Minutes{
		"a": of([]sample{{0, 5, 7}, {1, 6, 9}}), "power_mw": of([]sample{{0, 5, 7}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		if _, err := Decode[string](good[:i]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	for name, b := range map[string][]byte{
		"version":          {9, 0},
		"too many":         {version, 0, 0xff, 0xff, 0x03},
		"too many timings": {version, 0xff, 0xff, 0x03},
		"left over":        append(bytes.Clone(good), 0),
		"name code":        {version, 1, flagFull | flagSameAt, 0, 1, 255, formConstant, 0},
		"form":             {version, 1, flagFull | flagSameAt, 0, 1, 1, 0x80, 0},
		"constant blocks":  {version, 1, flagFull | flagSameAt, 0, 1, 1, formConstant | 2<<blockShift, 0},
		"minute 60":        {version, 1, flagSameAt, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 1, 1, formConstant, 0},
		"nothing known":    {version, 1, flagSameAt, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, formConstant, 0},
		"offset":           {version, 1, flagFull | flagSameAt, 0xe0, 0xd4, 0x03, 1, 1, formConstant, 0},
		"timing flags":     {version, 1, 0x80, 0, 1, 1, formConstant, 0},
		"no timing":        {version, 0, 1, 1, 0, formConstant, 0},
		"mirror of none":   {version, 1, flagFull | flagSameAt, 0, 1, 1, formMirror, 0},
		"divisor":          {version, 1, flagFull | flagSameAt, 0, 1, 1, stepFlag, 1, 0, 0},
		"width":            {version, 1, flagFull | flagSameAt, 0, 1, 1, 0, 0, 65},
		"names repeated":   {version, 1, flagFull | flagSameAt, 0, 2, 1, formConstant, 0, 1, formConstant, 0},

		"old too many":      {oldVersion, 0xff, 0xff, 0x03},
		"old name code":     {oldVersion, 1, 255, flagFull | flagSameAt | flagConstant, 0, 0},
		"old flags":         {oldVersion, 1, 1, 0x80, 0, 0},
		"old minute 60":     {oldVersion, 1, 1, flagSameAt | flagConstant, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0},
		"old nothing known": {oldVersion, 1, 1, flagSameAt | flagConstant, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"old offset":        {oldVersion, 1, 1, flagFull | flagSameAt | flagConstant, 0xe0, 0xd4, 0x03, 0},
		"old divisor":       {oldVersion, 1, 1, flagFull | flagSameAt, 0, 0},
		"old names repeated": {
			oldVersion, 2, 1, flagFull | flagSameAt | flagConstant, 0, 0, 1, flagFull | flagSameAt | flagConstant, 0, 0,
		},
		"old left over": append(encodeOld(map[string]ledger.Minutes{"a": of([]sample{{0, 5, 7}})}), 0),
	} {
		if _, err := Decode[string](b); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	b, err := Encode(nil, map[string]ledger.Minutes{"a": hour(1), "power_mw": hour(2), "energy_mj": hour(3)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{version, 1, flagFull | flagSameAt, 0, 1, 1, formConstant, 0})
	f.Add(encodeOld(map[string]ledger.Minutes{"a": hour(1), "power_mw": hour(2), "energy_mj": hour(3)}))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode[string](b)
		if err != nil {
			return
		}
		e, err := Encode(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode[string](e)
		if err != nil || !cmp.Equal(m, again) {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
	})
}

// hour makes an hour of four-digit ratios in ppm.
func hour(seed uint64) ledger.Minutes {
	r := rand.New(rand.NewPCG(seed, 1))
	var m ledger.Minutes
	for i := range 60 {
		Set(&m, i, 15_000, 900_000+int64(r.IntN(900))*100)
	}
	return m
}

func TestPackedSize(t *testing.T) {
	energy := ledger.Minutes{}
	for i := range 60 {
		Set(&energy, i, 15_000, 123_456_789_000+int64(i)*42_000_000+int64(i*i%7)*1000)
	}
	memory := ledger.Minutes{}
	for i := range 60 {
		Set(&memory, i, 15_000, int64(70_000+i*i%17)<<20)
	}
	for name, m := range map[string]ledger.Minutes{"ratio": hour(1), "energy": energy, "memory": memory} {
		b, err := Encode(nil, map[string]ledger.Minutes{"sm_ppm": m})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.2f bytes per minute", name, float64(len(b))/60)
		if len(b) > 60*4 {
			t.Errorf("%s takes %d bytes", name, len(b))
		}
	}
}

// mergedMaps are the vectors of both, merged one by one.
func mergedMaps(x, y map[string]ledger.Minutes) map[string]ledger.Minutes {
	out := maps.Clone(x)
	for k, v := range y {
		m := out[k]
		Merge(&m, &v)
		out[k] = m
	}
	return out
}
