package e2e

import (
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/metrics"
	"gpuledger/test/tier"
)

// deviceQuestions sends random queries about datasets of cards, by keys of machines and of holders.
func (w *seen) deviceQuestions(t *testing.T) {
	many := tier.Draws(300)
	r := rand.New(rand.NewPCG(17, 2))
	conditions := slices.Sorted(maps.Keys(w.scopes))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	some := map[string]int{}
	datasets := []string{"devices", "slices"}
	for range many {
		condition, dataset := pick(conditions), pick(datasets)
		d, err := metrics.LookupDataset(dataset)
		if err != nil {
			t.Fatal(err)
		}
		keys := append([]string{"gpu_model", "currency"}, d.Offers...)
		ours := url.Values{}
		if d.Stepped {
			ours.Set("granularity", pick([]string{"total", "day", "month"}))
		}
		var by []string
		for range r.IntN(4) { // none: the dataset's own rows
			if k := pick(keys); !slices.Contains(by, k) {
				by = append(by, k)
			}
		}
		if len(by) > 0 {
			ours.Set("group_by", strings.Join(by, ","))
		}
		filter := "(" + condition + ")"
		if r.IntN(3) == 0 {
			more := fmt.Sprintf("%s %s '%s'", "cause", pick([]string{"=", "!="}), pick([]string{"used", "held_idle", "free"}))
			ours.Set("filter", more)
			filter += " and (" + more + ")"
		}
		theirs := url.Values{"filter": {filter}}
		for k, v := range ours {
			if k != "filter" {
				theirs[k] = v
			}
		}
		want, text, status := w.admin.rows(t, dataset, theirs)
		if status != http.StatusOK {
			t.Fatalf("admin: %s?%s: %d %s", dataset, theirs.Encode(), status, clip(text))
		}
		got, text, status := w.scopes[condition].rows(t, dataset, ours)
		if status != http.StatusOK {
			t.Fatalf("%s: %s?%s: %d %s", condition, dataset, ours.Encode(), status, clip(text))
		}
		if len(want) > 0 {
			some[dataset]++
		}
		if dif := cmp.Diff(want, got); dif != "" {
			t.Errorf("%s: %s?%s differs from the admin's (-admin +own):\n%s", condition, dataset, ours.Encode(), clip(dif))
		}
		if l := w.leaks(condition, text); l != "" {
			t.Errorf("%s: %s?%s names others: %s", condition, dataset, ours.Encode(), l)
		}
	}
	for _, dataset := range datasets {
		if some[dataset] < many/4/len(datasets) {
			t.Errorf("only %d of %d questions about %s have an answer", some[dataset], many, dataset)
		}
	}
}

// devicePages reads the pages of devices: those in scope are there and name no other holder; those of others are
// missing.
func (w *seen) devicePages(t *testing.T) {
	all, _, _ := w.admin.rows(t, "devices", url.Values{})
	all = slices.DeleteFunc(all, func(r map[string]string) bool { // their samples are no longer kept
		status, _, _ := w.admin.ask(t, "/fleet/devices/"+url.PathEscape(r["device"]))
		return status != http.StatusOK
	})
	shown, refused := 0, 0
	for condition, lead := range w.some() {
		own, _, _ := lead.rows(t, "devices", url.Values{})
		for _, r := range all[:min(len(all), 8)] { // a client has a rate limit
			path := "/fleet/devices/" + url.PathEscape(r["device"])
			mine := slices.ContainsFunc(own, func(o map[string]string) bool { return o["device"] == r["device"] })
			status, _, text := lead.ask(t, path)
			if mine != (status == http.StatusOK) || !mine && status != http.StatusNotFound {
				t.Errorf("%s: %s is %d; in scope: %v", condition, path, status, mine)
			}
			if l := w.leaks(condition, text); l != "" {
				t.Errorf("%s: page %s names others: %s", condition, path, l)
			}
			if mine {
				shown++
				continue
			}
			refused++
			_, _, absent := lead.ask(t, path+"x")
			if dif := cmp.Diff(nameless(absent, r["device"]+"x"), nameless(text, r["device"])); dif != "" {
				t.Errorf("%s: %s of others is told from one that is not there:\n%s", condition, path, clip(dif))
			}
		}
	}
	linked := 0
	for condition, lead := range w.some() {
		_, _, body := lead.ask(t, "/fleet")
		for _, m := range toDevice.FindAllStringSubmatch(body, 4) {
			linked++
			if status, _, _ := lead.ask(t, html.UnescapeString(m[1])); status != http.StatusOK {
				t.Errorf("%s: the fleet leads to %s, which is %d", condition, m[1], status)
			}
		}
	}
	if shown < 3 || refused < 3 || linked == 0 {
		t.Errorf("%d pages of devices are shown, %d are not, and the fleet leads to %d", shown, refused, linked)
	}
}

var toDevice = regexp.MustCompile(`href="(/fleet/devices/[^"]+)"`)
