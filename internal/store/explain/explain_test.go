package explain_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/store/explain"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestExplain(t *testing.T) {
	s := storetest.SmallLedger(t)
	for subject, want := range map[string]struct {
		cost string
		rows int
	}{
		"run/prod/ml/train": {"16.385", 4},
		"posting/" + storetest.ID("posting", "used").String():          {"8.1925", 3},
		"posting/" + storetest.ID("posting", "tax").String():           {"1.23", 0},
		"charge/" + storetest.ID("charge", "box").String():             {"32.77", 0},
		"posting/" + storetest.Dashed(storetest.ID("posting", "free")): {"16.385", 3},
		"attempt/" + storetest.ID("attempt", "2").String():             {"8.1925", 3},
		"attempt/prod/ml/train/1":                                      {"8.1925", 3},
		"usage/" + storetest.ID("usage", "free").String():              {"16.385", 3},
		"node/node-1/2026-11-02T10:00":                                 {"32.77", 3},
		"device/GPU-1/2026-11-02":                                      {"32.77", 4},
	} {
		e, err := s.Explain(t.Context(), subject)
		if err != nil {
			t.Fatalf("%s: %v", subject, err)
		}
		rows := 0
		for _, n := range e.NodeHours {
			rows += len(n.Rows)
		}
		if got := e.Figures[0].Effective; got == nil || *got != want.cost || rows != want.rows {
			t.Errorf("%s: effective %v over %d rows, want %s over %d", subject, got, rows, want.cost, want.rows)
		}
		storetest.AssertRecomputes(t, e)
	}
	e, err := s.Explain(t.Context(), "run/prod/ml/train")
	if err != nil {
		t.Fatal(err)
	}
	first := e.NodeHours[0]
	if p := first.Parts[0]; *p.File != "data/cur-00001.csv.gz" || *p.Line != 1 || *p.Share.Effective != "16.385" ||
		*p.Amount.List != "98.32" {
		t.Errorf("part says %+v", p)
	}
	if first.Samples != 480 || first.PlacementMinutes != 3 || e.Unbilled != 1 || e.Policies[0] != "default-1" {
		t.Errorf("evidence: %d samples, %d minutes, %d unbilled, %v", first.Samples, first.PlacementMinutes, e.Unbilled,
			e.Policies)
	}
	for _, subject := range []string{
		"run/none", "posting/" + storetest.ID("no").String(), "charge/" + storetest.ID("no").String(), "run/o'brien",
	} {
		var missing *metrics.NotFoundError
		if _, err := s.Explain(t.Context(), subject); !errors.As(err, &missing) {
			t.Errorf("%s: %v, want not found", subject, err)
		}
	}
	for _, subject := range []string{"", "run/", "run", "pod/x", "posting/xyz", "attempt/x", "node/x", "node/x/yesterday",
		"device/GPU-1", "owner/team", "owner/shoe=4",
		"runs?filter=x", "costs?colour=red", "costs?from=x", "costs?from=2026-11-01&from=2026-11-02"} {
		var bad *metrics.OptionError
		if _, err := s.Explain(t.Context(), subject); !errors.As(err, &bad) {
			t.Errorf("%s: %v, want a refusal", subject, err)
		}
	}
}

// TestExplainFigures: a figure of a report is the sum of the postings behind it, to the digit, and their digest can
// be computed outside.
func TestExplainFigures(t *testing.T) {
	s := storetest.SmallLedger(t)
	for subject, want := range map[string]struct {
		cost  string
		count int64
		cells int
	}{
		"costs": {"34", 4, 0},
		"costs?group_by=team,cause&filter=cause+in+(lost,free)": {"24.5775", 2, 2},
		"costs?from=2026-11-02T10:00&to=2026-11-02T11:00":       {"34", 4, 0},
		"costs?granularity=day&sharing=after":                   {"34", 4, 2}, // usage without a bill is a separate row
		"owner/team=research":                                   {"16.385", 2, 0},
		"owner/team=research?billing-period=2026-11":            {"16.385", 2, 0},
		"costs?filter=tag:CostCenter='cc-1'":                    {"34", 4, 0},
		"costs?filter=not+run=''":                               {"16.385", 2, 0},
	} {
		e, err := s.ExplainWith(t.Context(), subject, explain.Options{Listed: 1})
		if err != nil {
			t.Errorf("%s: %v", subject, err)
			continue
		}
		b := e.Behind
		if len(e.Figures) != 1 || *e.Figures[0].Effective != want.cost || !b.Agrees || b.Count != want.count ||
			len(b.Listed) != 1 || len(b.Cells) != want.cells {
			t.Errorf("%s: %+v, %d postings, %d listed, %d cells, agrees %v; want %+v", subject, e.Figures, b.Count,
				len(b.Listed), len(b.Cells), b.Agrees, want)
		}
	}
	e, err := s.ExplainWith(t.Context(), "costs", explain.Options{Listed: -1})
	if err != nil {
		t.Fatal(err)
	}
	digest := new(big.Int)
	text := func(v *string) string { return pg.OrEmpty(v) }
	for _, p := range e.Behind.Listed {
		sum := sha256.Sum256([]byte(strings.Join([]string{p.PostingID, p.Amount.Currency, text(p.Amount.Effective),
			text(p.Amount.Billed), text(p.Amount.List), text(p.Amount.Contracted)}, ",")))
		digest.Add(digest, new(big.Int).SetBytes(sum[:]))
	}
	if got := fmt.Sprintf("%064x", digest.Mod(digest, new(big.Int).Lsh(big.NewInt(1), 256))); got != e.Behind.Digest {
		t.Errorf("the digest of what is listed is %s, of all %s", got, e.Behind.Digest)
	}
}

// TestExplainSaysWhy: a posting names its line, its weight and its telemetry, as text too.
func TestExplainSaysWhy(t *testing.T) {
	s := storetest.SmallLedger(t)
	e, err := s.Explain(t.Context(), "posting/"+storetest.ID("posting", "lost").String())
	if err != nil {
		t.Fatal(err)
	}
	if p := e.Posting; p == nil || p.Cause != "lost" || p.Team != "research" || p.Why == "" {
		t.Fatalf("posting says %+v", p)
	}
	if d := e.Shares[0]; d.Part != "32.77" || d.Share != "1/4" || d.Whole != "8192500000000" || d.Amount != "8.1925" ||
		d.Posted != d.Amount {
		t.Errorf("steps are %+v", d)
	}
	ev := e.NodeHours[0].Evidence
	if ev == nil || len(ev.Samples) != 1 || ev.Samples[0].Signal != "gr_engine_ppm" || ev.Samples[0].Minutes != 40 ||
		ev.Samples[0].Low != 900_000 || len(ev.Samples[0].Values) != 60 || ev.Samples[0].Values[59] != nil {
		t.Errorf("evidence is %+v", ev)
	}
	if len(ev.Holders) == 0 || ev.Holders[0].Basis != "exporter_rows" || ev.Holders[0].Minutes != 3 {
		t.Errorf("holders are %+v", ev.Holders)
	}
	if c := e.NodeHours[0].Parts[0].Charge; c == nil || c.State != "current" || *c.Amount.Effective != "32.77" ||
		len(e.Settings) != 1 || e.Settings[0].Settings["idle"] != "lt10pct-15min" {
		t.Errorf("line %+v, settings %+v", c, e.Settings)
	}
	var b strings.Builder
	if err := e.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"32.77 × 7200/28800", "cur-00001.csv.gz line 1", "gr_engine_ppm in 40 of 60 minutes",
		"held by ml/train-0, 3 minutes named", "default-1: idle lt10pct-15min",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
}

// TestStreamedExplanationIsComplete: the streamed explanation equals the one with all postings, whose digest can be
// recomputed. A lead gets only the lead's rows.
func TestStreamedExplanationIsComplete(t *testing.T) {
	s := storetest.SmallLedger(t)
	for _, subject := range []string{
		"costs", "costs?group_by=team,cause&filter=cause+in+(lost,free)",
		"owner/team=research", "costs?filter=run=none", "run/prod/ml/train",
	} {
		want, err := s.ExplainWith(t.Context(), subject, explain.Options{Listed: -1})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := s.WriteWhole(t.Context(), &b, subject); err != nil {
			t.Fatal(err)
		}
		var got metrics.Explanation
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatalf("%s: %v\n%s", subject, err, b.String())
		}
		if diff := cmp.Diff(byPosting(t, want), byPosting(t, &got)); diff != "" {
			t.Errorf("%s (- at once, + while it is read):\n%s", subject, diff)
		}
	}
	var b strings.Builder
	if err := s.WriteWhole(storetest.InPart(t, s, "team = 'research'"), &b, "costs"); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, `"effective_cost":"16.385"`) || strings.Contains(text, `"34"`) ||
		strings.Contains(text, storetest.ID("posting", "free").String()) {
		t.Errorf("a lead is written %s", text)
	}
}

// byPosting is an explanation as text, with its postings ordered by id.
func byPosting(t *testing.T, e *metrics.Explanation) string {
	t.Helper()
	if e.Behind != nil {
		slices.SortFunc(e.Behind.Listed, func(a, b metrics.BehindRow) int {
			return strings.Compare(a.PostingID, b.PostingID)
		})
	}
	text, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
