package explain_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// TestExplainForScopedUsers: scoped users see their shares of each line and their usage, but neither the lines' totals
// nor anything of other owners.
func TestExplainForScopedUsers(t *testing.T) {
	s := storetest.SmallLedger(t)
	research, nobody := storetest.InPart(t, s, "team = 'research'"), storetest.InPart(t, s, "team is null")
	for subject, want := range map[string]struct {
		cost         string
		lines, usage int
	}{
		"run/prod/ml/train": {"16.385", 1, 3},
		"posting/" + storetest.ID("posting", "used").String(): {"8.1925", 1, 1},
		"charge/" + storetest.ID("charge", "box").String():    {"16.385", 1, 0},
		"attempt/" + storetest.ID("attempt", "2").String():    {"8.1925", 1, 1},
		"usage/" + storetest.ID("usage", "used").String():     {"8.1925", 1, 1},
		"node/node-1/2026-11-02T10:00":                        {"16.385", 1, 2},
		"device/GPU-1/2026-11-02":                             {"16.385", 1, 3},
		"costs?group_by=cause":                                {"16.385", 0, 0},
		"owner/team=research":                                 {"16.385", 0, 0},
	} {
		e, err := s.Explain(research, subject)
		if err != nil {
			t.Errorf("%s: %v", subject, err)
			continue
		}
		o := e.Own
		if got := e.Figures[0].Effective; got == nil || *got != want.cost || len(o.Lines) != want.lines ||
			len(o.Usage) != want.usage {
			t.Errorf("%s: effective %v of %d lines by %d rows, want %+v", subject, got, len(o.Lines), len(o.Usage), want)
		}
		if len(e.NodeHours)+len(e.Whole)+len(e.Shares)+len(e.Settings) > 0 || e.Pool != nil || e.Spot != nil {
			t.Errorf("%s shows whole machines and lines", subject)
		}
		for _, l := range o.Lines {
			if !l.Others || *l.File != "data/cur-00001.csv.gz" || *l.Line != 1 || *l.Node != "node-1" || *l.Service != "EC2" {
				t.Errorf("%s: line %+v", subject, l)
			}
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var words strings.Builder
		if err := e.WriteText(&words); err != nil {
			t.Fatal(err)
		}
		for _, hidden := range []string{
			"32.77\"", " 32.77 ", "98.32", "28800", `"34"`,
			storetest.ID("owner", "none").String(), storetest.ID("usage", "free").String(),
		} {
			if strings.Contains(string(text), hidden) || strings.Contains(words.String(), hidden) {
				t.Errorf("%s says %s:\n%.2000s\n%.2000s", subject, hidden, text, words.String())
			}
		}
	}
	e, err := s.Explain(research, "posting/"+storetest.ID("posting", "lost").String())
	if err != nil {
		t.Fatal(err)
	}
	if x := e.Own.Usage[0].Samples; x == nil || x.Signal != "gr_engine_ppm" || x.Minutes != 40 {
		t.Errorf("samples are %+v", x)
	}
	for who, asks := range map[string]struct {
		context.Context
		subjects []string
	}{
		"research": {research, []string{"posting/" + storetest.ID("posting", "free").String(), "posting/" +
			storetest.ID("posting", "tax").String(), "usage/" + storetest.ID("usage", "free").String(),
			"charge/" + storetest.ID("charge", "tax").String(), "run/none", "node/none/2026-11-02T10:00"}},
		"nobody": {nobody, []string{"run/prod/ml/train", "posting/" + storetest.ID("posting", "used").String(), "charge/" +
			storetest.ID("charge", "box").String(),
			"attempt/" + storetest.ID("attempt", "2").String()}},
	} {
		for _, subject := range asks.subjects {
			var missing *metrics.NotFoundError
			if e, err := s.Explain(asks.Context, subject); !errors.As(err, &missing) {
				t.Errorf("%s is explained %s: %v %+v", who, subject, err, e)
			}
		}
	}
	if e, err = s.Explain(research, "spot"); err != nil || e.Spot.Count != 2 || !e.Spot.Agrees || len(e.Spot.Sums) != 1 ||
		e.Spot.Sums[0].Effective.String() != "16.385" {
		t.Errorf("spot: %+v, %v", e.Spot, err)
	}
	if _, err := s.Explain(research, "costs?filter=tag:CostCenter='cc-1'"); !errors.As(err, new(*access.ScopeError)) {
		t.Errorf("a tag of bill lines: %v, want a refusal", err)
	}
}
