package prose

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// limits are how many turns are left from before the lint. They go down with each change that rewrites some, to 0 in
// what users read and 50 in comments, and never up.
const (
	docsLimit     = 0
	messagesLimit = 444
	commentsLimit = 3267
)

// TestWords reads the whole repository.
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
		limit int
	}{{"docs", docs, docsLimit}, {"messages", messages, messagesLimit}, {"comments", comments, commentsLimit}} {
		t.Logf("%s: %d turns", realm.name, len(realm.found))
		all := os.Getenv("GPULEDGER_PROSE") == realm.name
		if len(realm.found) <= realm.limit && !all {
			continue
		}
		for i, f := range realm.found {
			if i == 20 && !all {
				break
			}
			t.Log(f)
		}
		if len(realm.found) > realm.limit {
			t.Errorf("%s: %d turns that a reader has to read twice, at most %d may be; GPULEDGER_PROSE=%s shows all",
				realm.name, len(realm.found), realm.limit, realm.name)
		}
	}
}

func gather(out []finding, from []passage) []finding {
	for _, p := range from {
		out = append(out, p.findings()...)
	}
	return out
}
