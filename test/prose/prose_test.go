package prose

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestWords reads the whole repository: no text has a turn that a reader has to read twice.
func TestWords(t *testing.T) {
	var docs, comments, messages []finding
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch name := d.Name(); {
			case name == "testdata", name == "node_modules", name == "prose", name == ".git":
				return filepath.SkipDir
			}
			return nil
		}
		inDocs, inComments, inMessages, err := read(path)
		if err != nil {
			return err
		}
		if strings.HasPrefix(path, "../../test/") || strings.HasPrefix(path, "../../bench/") {
			inMessages = nil // read by those who write tests
		}
		docs, comments, messages = gather(docs, inDocs), gather(comments, inComments), gather(messages, inMessages)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, realm := range []struct {
		name  string
		found []finding
	}{{"docs", docs}, {"messages", messages}, {"comments", comments}} {
		for i, f := range realm.found {
			if i == mostShown {
				t.Errorf("%s: %d more", realm.name, len(realm.found)-i)
				break
			}
			t.Errorf("%s: %s", realm.name, f)
		}
	}
}

// mostShown is how many turns of a kind are listed.
const mostShown = 50

func gather(out []finding, from []passage) []finding {
	for _, p := range from {
		out = append(out, p.findings()...)
	}
	return out
}
