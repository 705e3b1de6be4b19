package e2e

import (
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/test/billtest"
)

// bills are the folders of public billing samples.
var bills = []string{"aws-cur2", "aws-cur-legacy", "gcp", "azure", "focus"}

// TestAllSamplesMixed imports every public bill from one folder, in their own folders and all in one: every loadable
// file is loaded, each of its books equals its source to the last digit, and the others are named.
func TestAllSamplesMixed(t *testing.T) {
	root := billtest.Samples(t, ".")
	heap := t.TempDir()
	for _, b := range bills {
		copyFlat(t, filepath.Join(root, b), heap)
	}
	for name, dirs := range map[string][]string{"as they lie": {root}, "in one heap": {heap}} {
		t.Run(name, func(t *testing.T) {
			db := freshDatabase(t)
			var uris []string
			for _, d := range dirs {
				if d == root {
					for _, b := range bills {
						uris = append(uris, filepath.Join(root, b))
					}
				} else {
					uris = append(uris, d)
				}
			}
			_, out, errs := gpuledger(t, append([]string{"import", db, "--output", "json", "auto"}, uris...)...)
			var sum struct {
				Files      int
				RowsRead   int64 `json:"rows_read"`
				Accepted   int64
				Rejections []struct{ File, Reason, Detail string }
			}
			if err := json.Unmarshal([]byte(out), &sum); err != nil {
				t.Fatalf("%v\n%s\n%s", err, clip(out), errs)
			}
			for _, r := range sum.Rejections {
				t.Logf("not loaded: %s: %s: %s", r.File, r.Reason, r.Detail)
				if r.File == "" || r.Reason == "" || r.Detail == "" {
					t.Errorf("a refusal must name file, reason and remedy: %+v", r)
				}
			}
			must(t, "allocate", db)
			must(t, "verify", db)
			checkBooks(t, must(t, "report", db, "reconciliation", "--format", "csv"))
		})
	}
}

// checkBooks wants difference 0 in every row of a book.
func checkBooks(t *testing.T, report string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(report)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	providers := map[string]int{}
	for _, r := range rows[1:] {
		providers[r[at["provider"]]]++
		switch role, difference := r[at["role"]], r[at["difference"]]; {
		case role == "book" && difference != "0":
			t.Errorf("difference %s: %v", difference, r)
		case role == "evidence" && difference != "":
			t.Errorf("evidence is not posted: %v", r)
		}
	}
	for _, p := range []string{"aws", "gcp", "azure"} {
		if providers[p] == 0 {
			t.Errorf("nothing of %s: %v", p, providers)
		}
	}
	t.Logf("rows by provider: %v", providers)
}

// copyFlat copies the files of a tree into one folder, with their paths in their names if two would have the same name.
func copyFlat(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name := d.Name()
		if _, taken := os.Stat(filepath.Join(to, name)); taken == nil {
			name = filepath.Base(filepath.Dir(p)) + "-" + name
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
