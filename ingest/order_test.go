package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func at(s period.Second) *period.Second { return &s }

// Which of two deliveries is newer (docs/rules.md, 8.25).
func TestOrder(t *testing.T) {
	id := func(name string) ledger.ID { return ledger.NewID("delivery", name) }
	place := func(path, text string) ledger.DeliveryPlace {
		p := ledger.DeliveryPlace{Path: path}
		copy(p.SHA256[:], text)
		return p
	}
	stored := func(newest *period.Second, files ...ledger.DeliveryPlace) StandingDelivery {
		old := StandingDelivery{ID: id("old"), Rows: 100, Newest: newest, Files: files, Seen: map[string]SeenPlace{}}
		for _, f := range files {
			old.Seen[f.Path] = SeenPlace{f.SHA256, old.ID}
		}
		return old
	}
	look := func(place string) Sight {
		switch {
		case strings.HasPrefix(place, "/gone/"):
			return Gone
		case strings.HasPrefix(place, "/elsewhere/"):
			return NotLookedAt
		}
		return There
	}
	one, two := place("/b/1.csv", "a"), place("/b/2.csv", "b")
	const guid = "11111111-1111-4111-8111-111111111111"
	const next = "22222222-2222-4222-8222-222222222222"
	other := stored(at(5), place("/c/x.csv", "x"))
	other.Seen["/b/1.csv"] = SeenPlace{place("", "a").SHA256, id("new")}
	for name, c := range map[string]struct {
		old    StandingDelivery
		new    ledger.Delivery
		want   string // newer, older, or words of the refusal
		listed func(string) Sight
	}{
		"a later time": {
			stored(at(5), one), ledger.Delivery{DeliveredAt: at(6), Places: []ledger.DeliveryPlace{two}}, "newer", nil,
		},
		"an earlier time": {
			stored(at(5), one), ledger.Delivery{DeliveredAt: at(4), Places: []ledger.DeliveryPlace{two}}, "older", nil,
		},
		"an earlier time at the same place": {
			stored(at(5), one), ledger.Delivery{DeliveredAt: at(4), Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}},
			"older", nil,
		},
		"the same time": {
			stored(at(5), one), ledger.Delivery{DeliveredAt: at(5), Places: []ledger.DeliveryPlace{two}}, "--delivered-at", nil,
		},
		"the same time, overwritten": {
			stored(at(5), one), ledger.Delivery{DeliveredAt: at(5), Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}},
			"newer", nil,
		},
		"a time beats none": {
			stored(nil, one), ledger.Delivery{DeliveredAt: at(1), Places: []ledger.DeliveryPlace{two}}, "newer", nil,
		},
		"none at another place": {
			stored(at(5), one), ledger.Delivery{Places: []ledger.DeliveryPlace{two}}, "whose time is", nil,
		},
		"none on either side": {
			stored(nil, one), ledger.Delivery{Places: []ledger.DeliveryPlace{two}}, "--delivered-at", nil,
		},
		"no places at all": {stored(nil), ledger.Delivery{}, "--delivered-at", nil},
		"overwritten": {
			stored(nil, one, two), ledger.Delivery{Rows: 100, Places: []ledger.DeliveryPlace{place("/b/1.csv", "c"), two}},
			"newer", nil,
		},
		"overwritten with fewer files": {
			stored(nil, one, place("/gone/2.csv", "b")),
			ledger.Delivery{Rows: 10, Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}}, "newer", nil,
		},
		"overwritten, timed before": {
			stored(at(5), one), ledger.Delivery{Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}}, "newer", nil,
		},
		"a folder that grew": {
			stored(nil, one), ledger.Delivery{Rows: 200, Places: []ledger.DeliveryPlace{one, two}}, "newer", nil,
		},
		"an object written later": {
			stored(at(5), one), ledger.Delivery{
				Rows: 100, DeliveredAt: at(6), Observed: true, Places: []ledger.DeliveryPlace{two},
			}, "newer", nil,
		},
		"an object written earlier": {
			stored(at(5), one), ledger.Delivery{
				Rows: 100, DeliveredAt: at(4), Observed: true, Places: []ledger.DeliveryPlace{two},
			}, "older", nil,
		},
		"an object overwritten in a second": {
			stored(at(5), one), ledger.Delivery{
				Rows: 100, DeliveredAt: at(5), Observed: true, Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")},
			}, "newer", nil,
		},
		"an object after a time in its future": {stored(at(9), one),
			ledger.Delivery{Rows: 100, DeliveredAt: at(6), Observed: true,
				Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}}, "newer", nil},
		"imported before, and replaced since": {
			other, ledger.Delivery{ID: id("new"), Places: []ledger.DeliveryPlace{one}}, "older", nil,
		},
		"one file of several": {stored(nil, one, place("/b/2.csv", "b")),
			ledger.Delivery{Rows: 50, Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}}, "import the folder /b;",
			func(string) Sight { return NotLookedAt }},
		"one object of several": {stored(at(5), one, two),
			ledger.Delivery{
				Rows: 50, DeliveredAt: at(6), Observed: true, Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")},
			},
			"import the folder /b;", func(string) Sight { return NotLookedAt }},
		"one file of several, with a time": {stored(nil, one, two),
			ledger.Delivery{Rows: 50, DeliveredAt: at(6), Places: []ledger.DeliveryPlace{place("/b/1.csv", "c")}}, "newer",
			func(string) Sight { return NotLookedAt }},
		"a run that replaced another": {stored(nil, place("/gone/"+guid+"/p.csv", "a")),
			ledger.Delivery{Rows: 100, Named: true,
				Places: []ledger.DeliveryPlace{place("/gone/"+next+"/p.csv", "b")}}, "newer", nil},
		"a run that a manifest above both names": {stored(nil, place("/b/"+guid+"/p.csv", "a")),
			ledger.Delivery{Rows: 10, Named: true, Above: []string{"/b"},
				Places: []ledger.DeliveryPlace{place("/b/"+next+"/p.csv", "b"), place("/b/x-Manifest.json", "m")}}, "newer", nil},
		"a run named above others, after one with a time": {stored(at(5), place("/b/"+guid+"/p.csv", "a")),
			ledger.Delivery{Rows: 10, Named: true, Above: []string{"/b"},
				Places: []ledger.DeliveryPlace{place("/b/"+next+"/p.csv", "b"), place("/b/x-Manifest.json", "m")}},
			"--delivered-at", nil},
		"a run beside another": {stored(nil, place("/b/"+guid+"/p.csv", "a")), ledger.Delivery{Rows: 100, Named: true,
			Places: []ledger.DeliveryPlace{place("/b/"+next+"/p.csv", "b")}}, "--delivered-at", nil},
	} {
		if c.listed == nil {
			c.listed = look
		}
		newer, err := Order(&c.new, &c.old, c.listed)
		got := map[bool]string{true: "newer", false: "older"}[newer]
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// overwriteFiles writes files below a folder over those that lie there; an empty text
// removes one.
func overwriteFiles(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil && text == "" {
			err = os.Remove(path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A folder that an export overwrites, with and without a manifest, and the results of following
// the advice in refusals.
func TestAnOverwrittenFolderRefreshes(t *testing.T) {
	first, second := cur(curRow(1, "5"), curRow(2, "5")), cur(curRow(1, "5"), curRow(2, "6"), curRow(3, "5"))
	manifest := `{"executionId":"e","exportArn":"arn:aws:bcm-data-exports:us-east-1:1:export/h","dataFiles":["s3://b/x-00001.csv"]}`
	for name, files := range map[string]map[string]string{
		"no manifest": {"x-00001.csv": first},
		"a manifest":  {"x-00001.csv": first, "x-Manifest.json": manifest},
	} {
		m, root := newMemory(), write(t, files)
		take := func(want, dir string, said *period.Second) {
			t.Helper()
			sum, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{dir}, DeliveredAt: said})
			if got := strings.Join(states(sum), " "); got != want || (err != nil) != (want == "") {
				t.Fatalf("%s: %q instead of %q: %v", name, got, want, err)
			}
		}
		take("published", root, nil)
		overwriteFiles(t, root, map[string]string{"x-00001.csv": second})
		take("published", root, nil)
		take("unchanged", root, nil)
		overwriteFiles(t, root, map[string]string{"x-00001.csv": cur(curRow(1, "cheap"))})
		take("", root, nil) // refused; the next one counts
		overwriteFiles(t, root, map[string]string{"x-00001.csv": first})
		take("published", root, nil) // the current files are newer, although their content was imported before
		elsewhere := map[string]string{"x-00001.csv": second}
		if files["x-Manifest.json"] != "" {
			elsewhere["x-Manifest.json"] = manifest
		}
		copied := write(t, elsewhere)
		take("", copied, nil)
		take("published", copied, at(1793836800))
		take("older", root, nil) // as it was
		t.Chdir(filepath.Dir(root))
		overwriteFiles(t, root, map[string]string{"x-00001.csv": cur(curRow(1, "7"))})
		take("published", filepath.Base(root), nil) // the same place under another name
	}

	m, root := newMemory(), write(t, map[string]string{
		"1.csv": cur(curRow(1, "1")), "2.csv": cur(curRow(2, "2")), "3.csv": cur(curRow(3, "3")),
	})
	mustImport(t, m, Request{Source: "aws-cur", URIs: []string{root}})
	overwriteFiles(t, root, map[string]string{"1.csv": cur(curRow(1, "1")), "2.csv": cur(curRow(2, "5")), "3.csv": ""})
	sum, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{filepath.Join(root, "2.csv")}})
	if err == nil || !strings.Contains(err.Error(), "import the folder "+root+";") || len(sum.Deliveries) != 0 {
		t.Errorf("one file of three: %v", err)
	}
	if sum = mustImport(t, m,
		Request{Source: "aws-cur", URIs: []string{root}}); sum.Deliveries[0].State != DeliveryPublished || sum.Accepted != 2 {
		t.Errorf("fewer parts: %+v", sum.Deliveries)
	}
	overwriteFiles(t, root, map[string]string{"4.csv": cur(curRow(4, "4"))})
	if sum = mustImport(t, m,
		Request{Source: "aws-cur", URIs: []string{root}}); sum.Deliveries[0].State != DeliveryPublished || sum.Accepted != 3 {
		t.Errorf("one more part: %+v", sum.Deliveries)
	}
}
