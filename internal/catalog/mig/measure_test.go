package mig

import (
	"fmt"
	"testing"
)

// The layouts of NVIDIA's tables under each measure: the rest, and whether anything can still be placed on it.
func TestLayoutsUnderEachMeasure(t *testing.T) {
	seven := []string{"1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"}
	halves := []string{"3g.40gb", "3g.40gb"}
	double := []string{"1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"}
	mixed := []string{"3g.40gb", "2g.20gb", "1g.10gb"}
	for _, c := range []struct {
		name     string
		profiles []string
		by       Measure
		want     string // slices / denominator, free, stranded
	}{
		{"seven 1g take all compute", seven, Compute, "[8 8 8 8 8 8 8]/56 free 0 stranded 0"},
		{"and leave a memory slice that nobody can use", seven, Memory, "[7 7 7 7 7 7 7]/56 free 0 stranded 7"},
		{"half of which counts where both do", seven, Blend(500_000), "[15 15 15 15 15 15 15]/112 free 0 stranded 7"},
		{"two 3g leave a compute slice without memory", halves, Compute, "[24 24]/56 free 0 stranded 8"},
		{"and no memory", halves, Memory, "[28 28]/56 free 0 stranded 0"},
		{"52 parts of 112 each where both count", halves, Blend(500_000), "[52 52]/112 free 0 stranded 8"},
		{"four double 1g strand three compute slices", double, Compute, "[8 8 8 8]/56 free 0 stranded 24"},
		{"3g, 2g and 1g leave one of each", mixed, Compute, "[24 16 8]/56 free 8 stranded 0"},
		{"which is a smaller part of the memory", mixed, Memory, "[28 14 7]/56 free 7 stranded 0"},
		{"a quarter of the weight for compute", mixed, Blend(250_000), "[108 58 29]/224 free 29 stranded 0"},
		{"an empty card is free", nil, Memory, "[]/56 free 56 stranded 0"},
		{"a full one is not", []string{"7g.80gb"}, Blend(123_456), "[875000]/875000 free 0 stranded 0"},
	} {
		w, err := Weigh(h100, c.profiles, nil, c.by)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := fmt.Sprintf("%v/%d free %d stranded %d", w.Slices, w.Denominator, w.Free, w.Stranded); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
