package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpuledger/metrics"
)

var (
	runbookSpan = regexp.MustCompile("`([^`]+)`")
	runbookWord = regexp.MustCompile(`"[^"]*"|\S+`)
)

// incomplete are commands of runbooks that only name what to use: the reader gives their arguments.
var incomplete = []string{"gpuledger explain", "gpuledger budget set",
	"gpuledger import prometheus URL --from … --to …"}

// TestRunbooksCommandsRun runs every command of every runbook as it stands. A column that a page names is one that a
// report of the page shows.
func TestRunbooksCommandsRun(t *testing.T) {
	db := smallLedger(t)
	budgetsOfTests(t, db)
	pages, err := filepath.Glob(filepath.Join(top, "docs", "operate", "runbooks", "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	ran, shown := 0, 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var spans, heads []string
		var reports []*metrics.Dataset
		for _, m := range runbookSpan.FindAllStringSubmatch(string(text), -1) {
			span := strings.Join(strings.Fields(m[1]), " ")
			args, is := strings.CutPrefix(span, "gpuledger ")
			if !is {
				spans = append(spans, span)
				continue
			}
			if slices.Contains(incomplete, span) {
				continue
			}
			words := runbookWord.FindAllString(args, -1)
			for i, w := range words {
				words[i] = strings.Trim(w, `"`)
			}
			ran++
			code, out, errs := gpuledger(t, slices.Concat([]string{db}, words)...)
			// Reasons against closing are an answer, too.
			if code != exitOK && (words[0] != "close" || !strings.Contains(errs, "listed above")) {
				t.Errorf("%s: %s: status %d\n%s%s", filepath.Base(page), span, code, clip(out), clip(errs))
			}
			if words[0] != "report" || code != exitOK {
				continue
			}
			if dataset, err := metrics.LookupDataset(words[1]); err != nil {
				t.Error(err)
			} else if out = strings.TrimSpace(out); out != "no rows" {
				head, _, _ := strings.Cut(out, "\n")
				reports, heads = append(reports, dataset), append(heads, strings.Fields(head)...)
			}
		}
		for _, span := range spans {
			column := slices.ContainsFunc(reports, func(d *metrics.Dataset) bool { _, is := d.Column(span); return is })
			if column && !slices.Contains(heads, span) {
				t.Errorf("%s names the column %s, which none of its reports shows: %v", filepath.Base(page), span, heads)
			} else if column {
				shown++
			}
		}
	}
	if ran < 20 || shown < 5 {
		t.Errorf("only %d commands ran, and %d columns were shown", ran, shown)
	}
}
