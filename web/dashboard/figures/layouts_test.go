package figures

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// TestLayoutsAreDrawnAsTheirTableSays draws two layouts of one card and one of another,
// and checks the unused slices.
func TestLayoutsAreDrawnAsTheirTableSays(t *testing.T) {
	at := map[string]int{
		"device_uuid": 0, "gpu_model": 1, "node": 2, "profiles": 3, "valid_from": 4, "valid_to": 5, "dead_compute": 6,
	}
	row := func(id, profiles string, from, to int64, dead string) page.Record {
		text := func(s string) metrics.Value { return metrics.Value{Valid: s != "", Text: s} }
		when := func(h int64) metrics.Value {
			return metrics.Value{Valid: true, Time: time.Unix(1793491200+h*period.Hour, 0).UTC()}
		}
		return page.Record{
			At: at, Values: []metrics.Value{
				text(id), text("A100 40GB"), text("n1"), text(profiles), when(from), when(to), {Valid: true, Text: dead},
			},
		}
	}
	p := &page.Context{}
	h := drawLayouts(p, []page.Record{
		row("GPU-bbbbbbbb-0", "1g.5gb 1g.5gb 1g.5gb 1g.5gb", 10, 20, "0.285714285714"),
		row("GPU-aaaaaaaa-0", "3g.20gb 3g.20gb", 0, 24, "0.142857142857"),
		row("GPU-bbbbbbbb-0", "", 0, 10, "0"), row("GPU-cccccccc-0", "7g.40gb", 5, 5, "0"),
	})
	if h == nil || len(h.Wide.Cards) != 2 {
		t.Fatalf("drawn: %+v", h)
	}
	want := "2 cards were cut into MIG instances; 1 changed its layout from 1 Nov 00:00 to 2 Nov 00:00"
	if h.Wide.Label != want {
		t.Errorf("%q, want %q", h.Wide.Label, want)
	}
	first, second := h.Wide.Cards[0], h.Wide.Cards[1]
	if len(first.Pieces) != 2 || !strings.Contains(first.Pieces[0].Title, "no instance") ||
		!strings.Contains(first.Pieces[1].Title,
			"4 × 1g.5gb\n1 Nov 10:00 to 1 Nov 20:00\n3 compute slices in no instance, and no profile fits 2 of them") {
		t.Errorf("the card that changed is not first: %+v", first)
	}
	if title := second.Pieces[0].Title; !strings.Contains(title,
		"1 compute slice in no instance, and no profile fits it") {
		t.Errorf("3g + 3g: %q", title)
	}
	if drawLayouts(p, nil) != nil {
		t.Error("a drawing without rows")
	}
}
