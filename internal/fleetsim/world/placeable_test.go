package world

import "testing"

func TestPlaceable(t *testing.T) {
	for _, c := range []struct {
		have []string
		want string
	}{
		{[]string{"3g.20gb", "2g.10gb", "1g.5gb"}, "1/7"},
		{[]string{"3g.20gb", "3g.20gb"}, "0"},
		{[]string{"7g.40gb"}, "0"},
		{[]string{"4g.20gb"}, "15/28"},
		{[]string{"2g.10gb", "2g.10gb", "2g.10gb"}, "1/4"},
	} {
		if got := PlaceableWeight(c.have, nil, "").RatString(); got != c.want {
			t.Errorf("%v: %s, want %s", c.have, got, c.want)
		}
	}
}
