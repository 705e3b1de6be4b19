package minutes

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

// encodeOld is the former writer of version 1.
func encodeOld(vectors map[string]ledger.Minutes) []byte {
	dst := []byte{oldVersion}
	dst = binary.AppendUvarint(dst, uint64(len(vectors)))
	for _, k := range slices.Sorted(maps.Keys(vectors)) {
		dst = appendName(dst, k)
		v := vectors[k]
		dst = appendOld(dst, &v)
	}
	return dst
}

func appendOld(dst []byte, m *ledger.Minutes) []byte {
	known := m.Known & AllKnown
	var val [60]int64
	var at [60]uint16
	n := 0
	sameAt, constant := true, true
	for left := known; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		val[n], at[n] = m.Value[i], m.At[i]
		sameAt = sameAt && at[n] == at[0]
		constant = constant && val[n] == val[0]
		n++
	}
	step := int64(1)
	second := false
	if !constant {
		step = divisor(val[:n])
		for i := range n {
			val[i] /= step
		}
		second = secondIsShorter(val[:n])
	}
	flags := byte(0)
	for bit, on := range map[byte]bool{
		flagFull: known == AllKnown, flagSameAt: sameAt, flagConstant: constant, flagSecond: second,
	} {
		if on {
			flags |= bit
		}
	}
	dst = append(dst, flags)
	if known != AllKnown {
		dst = binary.LittleEndian.AppendUint64(dst, known)
	}
	if sameAt {
		dst = binary.AppendUvarint(dst, uint64(at[0]))
	} else {
		last := int64(0)
		for _, a := range at[:n] {
			dst = binary.AppendUvarint(dst, zigzag(int64(a)-last))
			last = int64(a)
		}
	}
	if constant {
		return binary.AppendUvarint(dst, zigzag(val[0]))
	}
	dst = binary.AppendUvarint(dst, uint64(step))
	var last, lastDelta int64
	for i, v := range val[:n] {
		d := v - last
		last = v
		if second && i > 0 {
			d, lastDelta = d-lastDelta, d
		}
		dst = binary.AppendUvarint(dst, zigzag(d))
	}
	return dst
}

func secondIsShorter(val []int64) bool {
	first, second := 0, 0
	var lastDelta int64
	for i := 1; i < len(val); i++ {
		d := val[i] - val[i-1]
		first += width(zigzag(d))
		second += width(zigzag(d - lastDelta))
		lastDelta = d
	}
	return second < first
}

func TestOldVersionsAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := vectors.Draw(t, "vectors")
		out, err := Decode[string](encodeOld(in))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(in, out); d != "" {
			t.Fatal(d)
		}
		merged, err := MergeEncoded(encodeOld(in), mustEncode(t, in))
		if err != nil || string(merged) != string(mustEncode(t, in)) {
			t.Fatalf("old and new bytes of one set do not merge to the new ones: %v", err)
		}
	})
}

func mustEncode(t interface{ Fatal(...any) }, in map[string]ledger.Minutes) []byte {
	b, err := Encode(nil, in)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := vectors.Draw(t, "vectors")
		keep := map[string]bool{}
		want := map[string]ledger.Minutes{}
		for _, name := range slices.Sorted(maps.Keys(in)) {
			m := in[name]
			if rapid.Bool().Draw(t, "keep") {
				keep[name], want[name] = true, m
			}
			// A mirror needs the vector before it, whether or not that is wanted.
			mirror := m
			for i := range mirror.Value {
				if m.Known>>i&1 == 1 {
					mirror.Value[i] = 1<<40 - m.Value[i]
				}
			}
			other := name + "~"
			if _, drawn := in[other]; !drawn && rapid.Bool().Draw(t, "mirror") {
				in[other] = mirror
				if rapid.Bool().Draw(t, "keep mirror") {
					keep[other], want[other] = true, mirror
				}
			}
		}
		for _, b := range [][]byte{mustEncode(t, in), encodeOld(in)} {
			got, err := Select(b, func(name string) bool { return keep[name] })
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(d)
			}
		}
	})
}
