package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/period"
)

// timed is an object store in memory that knows when its objects were written.
type timed map[string]written

type written struct {
	text string
	at   period.Second
}

func (s timed) List(_ context.Context, uri string) ([]blob.Object, error) {
	var out []blob.Object
	for name, w := range s {
		address := "t://b/" + name
		if rest, ok := strings.CutPrefix(address, strings.TrimRight(uri, "/")+"/"); ok {
			out = append(out, blob.Object{
				Name: rest, Address: address, Size: int64(len(w.text)), Modified: w.at, Version: fmt.Sprint(w.at), Content: w,
			})
		}
	}
	if len(out) == 0 {
		return nil, os.ErrNotExist
	}
	return out, nil
}

func (w written) Range(_ context.Context, from, to int64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader([]byte(w.text)[from:to])), nil
}

// An export overwrites its folder with fewer parts, without a manifest: rows of the earlier
// delivery are not added to the new one.
func TestPartsOfAnEarlierDeliveryAreNotAddedUp(t *testing.T) {
	const monday, tuesday = period.Second(1793836800), period.Second(1793836800 + 86400)
	lines := func(id string, n int, cost string) []string { return curLines(n, id, 1, cost) }
	old, fresh := lines("l", 6, "1"), lines("l", 6, "2")
	renamed := lines("new", 6, "2") // the same things, under new ids
	part := func(rows ...string) string { return cur(rows...) }
	type files map[string]written
	for name, c := range map[string]struct {
		files       files
		source      string
		total, says string // of a store
		local       string // words of the refusal of a local folder with these times; empty: as the store
		said        string // total with --delivered-at; empty: not asked
	}{
		"ids that stay": {files: files{"x-00001.csv": {part(fresh[:4]...), tuesday},
			"x-00002.csv": {part(fresh[4:]...), tuesday + 60}, "x-00003.csv": {part(old[4:]...), monday}},
			total: "12", says: "x-00003.csv", local: "x-00003.csv: left behind by an earlier delivery"},
		"ids that are new, few things": {files: files{"x-00001.csv": {part(renamed[:4]...), tuesday},
			"x-00002.csv": {part(renamed[4:]...), tuesday + 60}, "x-00003.csv": {part(old[5:]...), monday}},
			total: "12", says: "x-00003.csv", local: "x-00003.csv: left behind", said: "13"},
		"two that are left": {files: files{"x-00001.csv": {part(renamed...), tuesday},
			"x-00002.csv": {part(old[2:4]...), monday}, "x-00003.csv": {part(old[4:]...), monday + 5}},
			total: "12", says: "x-00002.csv", local: "left behind"},
		"ids that are new, many things": {files: files{"a.csv": {part(lines("new", 60, "2")...), tuesday},
			"b.csv": {part(lines("l", 40, "1")...), monday}},
			total: "120", says: "b.csv", local: "left behind"},
		"other things, the last number": {files: files{"x-00001.csv": {part(fresh[:2]...), tuesday},
			"x-00002.csv": {part(fresh[2:4]...), tuesday}, "x-00003.csv": {part(old[4:]...), monday}},
			total: "0", says: "import the folder with --delivered-at",
			local: "import the folder with --delivered-at", said: "10"},
		"a folder that grows": {
			files: files{
				"x-00001.csv": {part(old[:2]...), monday}, "x-00002.csv": {part(fresh[2:4]...), tuesday},
				"x-00003.csv": {part(fresh[4:]...), tuesday + 9000},
			}, total: "10",
		},
		"days, the first written again": {
			files: files{"2026-10-01.csv": {part(fresh[:2]...), tuesday}, "2026-10-02.csv": {part(old[2:]...), monday}},
			total: "8",
		},
		"a slow delivery": {
			files: files{"x-00001.csv": {part(fresh[:3]...), monday + 3000}, "x-00002.csv": {part(fresh[3:]...), monday}},
			total: "12",
		},
		"the other folder is no neighbour": {
			files: files{"1/x-00001.csv": {part(fresh[:3]...), tuesday}, "1/x-00002.csv": {part(fresh[3:]...), tuesday}},
			total: "12",
		},
		"increments without numbers": {source: SourceFOCUS,
			files: files{
				"x-1.csv": {joined(day("CoreWeave", 2, 2, "", "8"), day("CoreWeave", 3, 2, "", "8")), tuesday},
				"x-2.csv": {day("CoreWeave", 2, 2, "", "7"), monday},
			},
			total: "0", says: "left behind", local: "left behind"},
		"increments with numbers": {
			source: SourceFOCUS, files: files{
				"x-1.csv": {joined(day("Oracle", 2, 2, "q", "-8"), day("Oracle", 3, 2, "q", "8")), tuesday},
				"x-2.csv": {day("Oracle", 2, 2, "r", "8"), monday},
			}, total: "16",
		},
	} {
		source, root := c.source, t.TempDir()
		if source == "" {
			source = SourceAWSCUR
		}
		objects := timed{}
		for file, w := range c.files {
			objects["e/"+file] = w
			overwriteFiles(t, root, map[string]string{file: w.text})
			if err := os.Chtimes(filepath.Join(root, file), time.Time{}, w.at.Time()); err != nil {
				t.Fatal(err)
			}
		}
		take := func(uri string, said *period.Second) (string, string) {
			m := newMemory()
			sum, err := importer(m).Import(t.Context(), Request{
				Source: source, URIs: []string{uri}, Stores: blob.Stores{"t": objects}, DeliveredAt: said, KeepEverything: true,
			})
			words := fmt.Sprint(err)
			if sum == nil {
				t.Fatalf("%s: %v", uri, err)
			}
			for note := range sum.NotedByReason {
				words += "\n" + note
			}
			return counted(m), words
		}
		got, words := take("t://b/e", nil)
		if got != c.total || !strings.Contains(words, c.says) || c.says == "" && words != "<nil>" {
			t.Errorf("%s: %s instead of %s: %s", name, got, c.total, words)
		}
		got, words = take(root, nil)
		if c.local == "" && (got != c.total || words != "<nil>") || c.local != "" &&
			(got != "0" || !strings.Contains(words, c.local)) {
			t.Errorf("%s, local: %s: %s", name, got, words)
		}
		if c.said != "" {
			if got, words = take(root, at(tuesday)); got != c.said {
				t.Errorf("%s, with --delivered-at: %s instead of %s: %s", name, got, c.said, words)
			}
		}
	}
}

// An overwritten bucket is updated from the files that its store wrote last.
func TestAStoreWithFewerPartsThanBefore(t *testing.T) {
	m, objects := newMemory(), timed{}
	take := func(want string, files map[string]written) {
		t.Helper()
		for name, w := range files {
			objects["e/"+name] = w
		}
		sum, err := importer(m).Import(t.Context(), Request{
			Source: SourceAWSCUR, URIs: []string{"t://b/e"}, Stores: blob.Stores{"t": objects}, KeepEverything: true,
		})
		if err != nil || counted(m) != want {
			t.Fatalf("%s instead of %s, %v: %v", counted(m), want, states(sum), err)
		}
	}
	rows := func(cost string) [][]string { return slices.Collect(slices.Chunk(curLines(6, "l"+cost, 1, cost), 2)) }
	one, two := rows("1"), rows("2")
	const then, later = period.Second(1793836800), period.Second(1793836800 + 30000)
	take("6", map[string]written{
		"x-1.csv": {cur(one[0]...), then}, "x-2.csv": {cur(one[1]...), then}, "x-3.csv": {cur(one[2]...), then},
	})
	take("12", map[string]written{
		"x-1.csv": {cur(slices.Concat(two[0], two[1])...), later}, "x-2.csv": {cur(two[2]...), later},
	})
	take("12", nil)
}
