package mig

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

const (
	a100x40 = "NVIDIA A100-SXM4-40GB"
	a100x80 = "NVIDIA A100-SXM4-80GB"
	h100    = "NVIDIA H100 80GB HBM3"
)

func TestSameNameIsAnotherFractionOnAnotherCard(t *testing.T) {
	for _, c := range []struct {
		model, profile string
		want           Shape
	}{
		{a100x40, "1g.5gb", Shape{1, 1, false}},
		{a100x40, "1g.10gb", Shape{1, 2, false}},
		{a100x80, "1g.10gb", Shape{1, 1, false}},
		{"NVIDIA-A100-80GB-PCIe", "1g.10gb+me", Shape{1, 1, false}},
		{h100, "1g.20gb", Shape{1, 2, false}},
		{h100, "1c.3g.40gb", Shape{3, 4, false}},
		{"NVIDIA H100 NVL", "1g.24gb", Shape{1, 2, false}},
		{"NVIDIA GB200", "1g.24gb", Shape{1, 1, false}},
		{"NVIDIA RTX PRO 6000 Blackwell Server Edition", "1g.24gb", Shape{1, 1, false}},
		{"NVIDIA H200", "7g.141gb", Shape{7, 8, false}},
		{"NVIDIA A30", "2g.12gb", Shape{2, 2, false}},
		{h100, "3g.41gb", Shape{3, 4, true}},
		{"Some Card", "2g.10gb", Shape{2, 2, true}},
		{"Some Card", "5g.10gb", Shape{5, 5, true}},
		{"Some Card", "99g", Shape{7, 8, true}},
		{"Some Card", "", Shape{1, 1, true}},
	} {
		if got := CardOf(c.model).ShapeOf(c.profile); got != c.want {
			t.Errorf("%s %s: %+v, want %+v", c.model, c.profile, got, c.want)
		}
	}
}

func TestWeights(t *testing.T) {
	repeat := func(n int, p string) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = p
		}
		return out
	}
	for _, c := range []struct {
		name     string
		model    string
		profiles []string
		starts   []int
		want     string // slices / denominator, free, stranded
	}{
		{"seven 1g fill the card", h100, repeat(7, "1g.10gb"), nil, "[8 8 8 8 8 8 8]/56 free 0 stranded 0"},
		{"two 3g are half each", h100, repeat(2, "3g.40gb"), nil, "[28 28]/56 free 0 stranded 0"},
		{
			"4g and 3g exceed one and are normalised", h100, []string{"4g.40gb", "3g.40gb"}, nil, "[32 28]/60 free 0 stranded 0",
		},
		{
			"3g, 2g and 1g leave a fourteenth that a 1g can take", h100,
			[]string{"3g.40gb", "2g.20gb", "1g.10gb"}, nil, "[28 16 8]/56 free 4 stranded 0",
		},
		{
			"the same, badly placed, leaves it stranded", h100,
			[]string{"3g.40gb", "2g.20gb", "1g.10gb"}, []int{0, 4, 6}, "[28 16 8]/56 free 0 stranded 4",
		},
		{"four double 1g fill the memory", a100x40, repeat(4, "1g.10gb"), nil, "[14 14 14 14]/56 free 0 stranded 0"},
		{"one 7g", h100, []string{"7g.80gb"}, nil, "[56]/56 free 0 stranded 0"},
		{"an empty card is free", h100, nil, nil, "[]/56 free 56 stranded 0"},
		{"A30 counts in quarters", "NVIDIA A30", []string{"2g.12gb", "1g.6gb"}, nil, "[2 1]/4 free 1 stranded 0"},
		{
			"a 1g in the middle of an A30 leaves no room for a 2g beside another", "NVIDIA A30",
			[]string{"1g.6gb", "1g.6gb"}, []int{1, 2}, "[1 1]/4 free 2 stranded 0",
		},
		{
			"a layout that no placement allows leaves nothing placeable",
			h100, []string{"3g.40gb"}, []int{6}, "[28]/56 free 0 stranded 28",
		},
	} {
		w, err := Weigh(c.model, c.profiles, c.starts, Dominant)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := fmt.Sprintf("%v/%d free %d stranded %d", w.Slices, w.Denominator, w.Free, w.Stranded); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWeighRefuses(t *testing.T) {
	if _, err := Weigh(h100, make([]string, MaxSlices+1), nil, Dominant); err == nil {
		t.Error("too many instances must be refused")
	}
	if _, err := Weigh(h100, []string{"1g.10gb"}, []int{1, 2}, Dominant); err == nil {
		t.Error("placements of another length must be refused")
	}
	if _, err := Weigh(h100, nil, nil, Blend(1_000_001)); err == nil {
		t.Error("more than all of the weight for compute must be refused")
	}
}

func TestWeightsAddUpToTheCard(t *testing.T) {
	models := []string{a100x40, a100x80, h100, "NVIDIA A30", "NVIDIA B200", "NVIDIA RTX PRO 5000", "unknown"}
	names := []string{"1g.5gb", "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb", "1g.6gb", "2g.12gb", "x"}
	rapid.Check(t, func(t *rapid.T) {
		model := rapid.SampledFrom(models).Draw(t, "model")
		profiles := rapid.SliceOfN(rapid.SampledFrom(names), 0, 9).Draw(t, "profiles")
		by := rapid.SampledFrom([]Measure{Dominant, Compute, Memory, Blend(500_000), Blend(333_333)}).Draw(t, "measure")
		w, err := Weigh(model, profiles, nil, by)
		if err != nil {
			t.Fatal(err)
		}
		sum := w.Free + w.Stranded
		for _, s := range w.Slices {
			if s == 0 {
				t.Fatal("an instance without weight")
			}
			sum += s
		}
		if sum != w.Denominator {
			t.Fatalf("weights add up to %d of %d", sum, w.Denominator)
		}
	})
}
