package ingest

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/period"
)

// legacyRuns is a folder of legacy CUR in its mode "create new report version": each run
// has a folder with a manifest, and the manifest above them names the newest.
func legacyRuns(newest string, runs map[string]string) map[string]string {
	manifest := func(run string) string {
		return `{"assemblyId":"` + run + `","reportName":"r","bucket":"b","reportKeys":["p/r/20261001-20261101/` + run +
			`/r-1.csv"]}`
	}
	files := map[string]string{}
	for run, text := range runs {
		files["r/20261001-20261101/"+run+"/r-1.csv"] = text
		files["r/20261001-20261101/"+run+"/r-Manifest.json"] = manifest(run)
	}
	if newest != "" {
		files["r/20261001-20261101/r-Manifest.json"] = manifest(newest)
	}
	return files
}

// Which of several runs of one export counts if they are imported at once, and which advice
// works if no time shows the newest.
func TestSeveralRunsAtOnce(t *testing.T) {
	const a, b, c = "ccccccc1-1111-4111-8111-111111111111", "aaaaaaa2-2222-4222-8222-222222222222",
		"bbbbbbb3-3333-4333-8333-333333333333"
	first, second, third := cur(curRow(1, "5"), curRow(2, "5")), cur(curRow(1, "5"), curRow(2, "6")),
		cur(curRow(1, "5"), curRow(2, "7"))
	take := func(m *memory, uri string, said *period.Second) (string, *Summary, error) {
		t.Helper()
		sum, err := importer(m).Import(t.Context(), Request{
			Source: SourceAuto, URIs: []string{uri}, DeliveredAt: said, KeepEverything: true,
		})
		return counted(m), sum, err
	}
	for name, runs := range map[string]map[string]string{
		"two": {a: first, b: second}, "three": {a: first, b: second, c: third},
	} {
		for _, newest := range slices.Sorted(maps.Keys(runs)) {
			want := map[string]string{a: "10", b: "11", c: "12"}[newest]
			for _, said := range []*period.Second{nil, at(1793836800)} {
				m := newMemory()
				got, sum, err := take(m, write(t, legacyRuns(newest, runs)), said)
				if err != nil || got != want || sum.IgnoredByReason["in an older run of the export"] != int64(2*(len(runs)-1)) {
					t.Errorf("%s, %s is newest: %s instead of %s, %v: %v", name, newest, got, want, sum.IgnoredByReason, err)
				}
			}
		}
	}

	m, root := newMemory(), write(t, legacyRuns(a, map[string]string{a: first}))
	if got, _, err := take(m, filepath.Join(root, "r/20261001-20261101", a), nil); err != nil || got != "10" {
		t.Errorf("one run alone: %s, %v", got, err)
	}
	overwriteFiles(t, root, legacyRuns(b, map[string]string{a: first, b: second}))
	if got, _, err := take(m, root, nil); err != nil || got != "11" {
		t.Errorf("the whole folder after one run of it: %s, %v", got, err)
	}
	overwriteFiles(t, root, legacyRuns(c, map[string]string{a: first, b: second, c: third}))
	if got, _, err := take(m, root, nil); err != nil || got != "12" {
		t.Errorf("one more run: %s, %v", got, err)
	}
	if got, sum, err := take(m, root, nil); err != nil || got != "12" || sum.State != ImportUnchanged {
		t.Errorf("the same again: %s, %v", got, err)
	}

	// The newest run is unknown: the advice works.
	m, root = newMemory(), write(t, legacyRuns("", map[string]string{a: first, b: second, c: third}))
	got, _, err := take(m, root, nil)
	if err == nil || got != "0" {
		t.Fatalf("no order: %s, %v", got, err)
	}
	_, advice, _ := strings.Cut(err.Error(), "when it was written: ")
	folders := strings.Split(strings.SplitN(advice, "\n", 2)[0], ", ")
	if len(folders) != 3 || !strings.HasSuffix(strings.TrimSpace(folders[0]), b) {
		t.Fatalf("folders %q in: %v", folders, err)
	}
	for i, run := range []string{a, b, c} {
		if got, _, err := take(m, filepath.Join(root, "r/20261001-20261101", run),
			at(period.Second(1793836800+i))); err != nil || got != map[string]string{a: "10", b: "11", c: "12"}[run] {
			t.Errorf("%s with a time: %s, %v", run, got, err)
		}
	}
}
