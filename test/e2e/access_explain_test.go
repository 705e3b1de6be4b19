package e2e

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/money"
	"gpuledger/metrics"
)

var explained = regexp.MustCompile(`href="(/explain/[^"]*)"`)

// explanations reads the explanations of figures: for the user's own scope the figure equals the admin's, lines add up
// to it, and names of others do not appear.
func (w *seen) explanations(t *testing.T) {
	cost := func(f metrics.Figure) money.Amount { return amountOf(t, f.Effective) }
	asked, shared := 0, 0
	for condition, lead := range w.some() {
		var subjects []string
		for dataset, of := range map[string][2]string{
			"runs": {"run/", "run_id"}, "postings": {"posting/", "posting_id"}, "usage": {"usage/", "usage_id"},
		} {
			own, _, _ := lead.rows(t, dataset, url.Values{})
			for _, i := range []int{0, len(own) / 3, len(own) / 2, len(own) - 1} {
				if i >= 0 && i < len(own) {
					subjects = append(subjects, of[0]+url.PathEscape(own[i][of[1]]))
				}
				if charge := ""; dataset == "postings" && i >= 0 && i < len(own) {
					if charge = own[i]["charge_id"]; !strings.HasPrefix(charge, null) && charge != "" {
						subjects = append(subjects, "charge/"+charge)
					}
				}
			}
		}
		subjects = append(subjects, "costs", "costs?group_by=cause", "costs?sharing=after&granularity=day")
		for _, subject := range subjects {
			status, _, text := lead.ask(t, "/api/v1/explain/"+subject)
			var got metrics.Explanation
			if err := json.Unmarshal([]byte(text), &got); status != http.StatusOK || err != nil {
				// its delivery is no longer current
				if strings.HasPrefix(subject, "charge/") && status == http.StatusNotFound {
					continue
				}
				t.Errorf("%s: %s is %d: %s", condition, subject, status, clip(text))
				continue
			}
			asked++
			if l := w.leaks(condition, text); l != "" {
				t.Errorf("%s: %s names others: %s", condition, subject, l)
			}
			var lines, figures money.Amount
			for _, f := range got.Figures {
				figures = figures.Add(cost(f))
			}
			for _, l := range got.Own.Lines {
				lines = lines.Add(cost(l.Share))
				if l.Others {
					shared++
				}
			}
			if got.Behind != nil {
				lines = figures
				if !got.Behind.Agrees {
					t.Errorf("%s: the postings behind %s do not add up to it", condition, subject)
				}
			}
			if len(got.Own.Lines) > 0 && lines.Cmp(figures) != 0 {
				t.Errorf("%s: lines of %s are %s, the figure is %s", condition, subject, lines, figures)
			}
			if strings.HasPrefix(subject, "run/") || strings.HasPrefix(subject, "posting/") {
				_, _, text := w.admin.ask(t, "/api/v1/explain/"+subject)
				var whole metrics.Explanation
				if err := json.Unmarshal([]byte(text), &whole); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(whole.Figures, got.Figures); d != "" {
					t.Errorf("%s: the figure of %s differs from the admin's (-admin +own):\n%s", condition, subject, clip(d))
				}
			}
			w.pageOf(t, condition, lead, "/explain/"+subject, 4)
		}
	}
	if asked < 15 || shared < 5 {
		t.Errorf("only %d explanations are looked at, with %d lines that others have parts of", asked, shared)
	}
}

// pageOf reads the page of an explanation, and follows its first links down the given number of levels.
func (w *seen) pageOf(t *testing.T, condition string, lead *asker, address string, levels int) {
	t.Helper()
	status, _, body := lead.ask(t, address)
	if l := w.leaks(condition, body); status != http.StatusOK || l != "" || strings.Contains(body, "do NOT add up") {
		t.Errorf("%s: page %s is %d and names %q, or does not add up", condition, address, status, l)
	}
	if levels == 0 {
		return
	}
	for i, m := range explained.FindAllStringSubmatch(body, -1) {
		if i == 2 {
			break
		}
		w.pageOf(t, condition, lead, html.UnescapeString(m[1]), levels-1)
	}
}

// links follows the links of pages.
func (w *seen) links(t *testing.T) {
	links := 0
	for condition, lead := range w.some() {
		for _, page := range []string{"/", "/runs", "/inference", "/spot", "/models"} {
			_, _, body := lead.ask(t, page)
			for i, m := range explained.FindAllStringSubmatch(body, -1) {
				if i == 5 {
					break
				}
				links++
				if status, _, text := lead.ask(t, html.UnescapeString(m[1])); status != http.StatusOK {
					t.Errorf("%s: page %s leads to %s, which is %d: %s", condition, page, m[1], status, clip(text))
				}
			}
		}
	}
	if links < 10 {
		t.Errorf("pages lead to %d explanations", links)
	}
}

// amountOf reads a cost; an unknown one adds nothing.
func amountOf(t *testing.T, text *string) (a money.Amount) {
	t.Helper()
	if text != nil {
		var err error
		if a, err = money.Parse(*text); err != nil {
			t.Fatal(err)
		}
	}
	return a
}
