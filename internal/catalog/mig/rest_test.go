package mig

import (
	"testing"

	"pgregory.net/rapid"
)

// The layouts of NVIDIA's tables: the rest, the profiles that could still be placed, and the unusable part.
func TestRestOfLayouts(t *testing.T) {
	for _, c := range []struct {
		name     string
		profiles []string
		starts   []int
		want     Rest
	}{
		{"an empty card", nil, nil, Rest{7, 8, 7, 0, 0}},
		{
			"seven 1g leave a memory slice that nobody can use",
			[]string{"1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"}, nil, Rest{0, 1, 0, 0, 1},
		},
		{"two 3g leave a compute slice without memory", []string{"3g.40gb", "3g.40gb"}, nil, Rest{1, 0, 0, 1, 0}},
		{"4g and 3g leave nothing", []string{"4g.40gb", "3g.40gb"}, nil, Rest{}},
		{
			"three 2g and a 1g leave a memory slice",
			[]string{"2g.20gb", "2g.20gb", "2g.20gb", "1g.10gb"}, nil, Rest{0, 1, 0, 0, 1},
		},
		{
			"four double 1g leave three compute slices",
			[]string{"1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"}, nil, Rest{3, 0, 0, 3, 0},
		},
		{"a 3g leaves room for a 4g", []string{"3g.40gb"}, nil, Rest{4, 4, 4, 0, 0}},
		{"at the start of the card it leaves room for a 3g only", []string{"3g.40gb"}, []int{0}, Rest{4, 4, 3, 1, 0}},
		{"3g, 2g and 1g leave room for a 1g", []string{"3g.40gb", "2g.20gb", "1g.10gb"}, nil, Rest{1, 1, 1, 0, 0}},
		{
			"unless the last memory slice is what is left",
			[]string{"3g.40gb", "2g.20gb", "1g.10gb"}, []int{0, 4, 6}, Rest{1, 1, 0, 1, 1},
		},
		{"a placement that cannot be leaves nothing", []string{"3g.40gb"}, []int{6}, Rest{4, 4, 0, 4, 4}},
	} {
		if got := RestOf(h100, c.profiles, c.starts); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := RestOf("NVIDIA A30", []string{"1g.6gb", "1g.6gb"}, []int{1, 2}); got != (Rest{2, 2, 1, 0, 0}) {
		t.Errorf("two 1g in the middle of an A30: %+v", got)
	}
}

func TestRestIsInsideTheCard(t *testing.T) {
	names := []string{"1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"}
	rapid.Check(t, func(t *rapid.T) {
		r := RestOf(h100, rapid.SliceOfN(rapid.SampledFrom(names), 0, 9).Draw(t, "profiles"), nil)
		if r.DeadCompute < 0 || r.DeadCompute > r.Compute || r.DeadMemory < 0 || r.DeadMemory > r.Memory ||
			r.Largest > r.Compute-r.DeadCompute {
			t.Fatalf("%+v", r)
		}
	})
}
