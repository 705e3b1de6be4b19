package panel

import (
	"testing"

	"gpuledger/internal/period"
)

// A page that is narrowed shows what happened to everything and to what it shows.
func TestEventsConcernWhatThePageShows(t *testing.T) {
	speech := map[string]string{"team": "speech"}
	for _, c := range []struct {
		about      map[string]string
		key, value string
		want       bool
	}{
		{nil, "team", "vision", true}, {speech, "", "", true}, {speech, "all", "", true}, {speech, "team", "speech", true},
		{speech, "team", "vision", false}, {speech, "project", "atlas", false},
	} {
		if got := concerns(c.about, c.key, c.value); got != c.want {
			t.Errorf("%s %s on a page of %v: %v", c.key, c.value, c.about, got)
		}
	}
}

func TestEventsStandAtTheirTime(t *testing.T) {
	day := period.Second(period.Day)
	d := drawing{
		sheet:    &sheet{steps: []step{{span: period.Interval{From: 10 * day, To: 11 * day}}}},
		happened: []event{{at: 11 * day, text: "a deploy"}, {at: 14 * day, text: "too late"}},
	}
	got := d.events(12 * day)
	if len(got) != 2 || got[0].At != .5 || got[0].Text != "12 Jan: a deploy" || got[1].At != 2 {
		t.Errorf("%+v", got)
	}
	if reasons := reasonsOf([]event{{text: "x"}, {text: "y", link: "https://ci.example.com"}}); reasons[0].Link.Href != "" ||
		reasons[1].Link.Href != "https://ci.example.com" {
		t.Errorf("%+v", reasons)
	}
}
