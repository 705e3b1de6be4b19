package archtest

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var namedDocument = regexp.MustCompile(`\bdocs/([\w/-]+\.(?:md|py))(?:#([\w-]+))?`)

// TestDocumentsThatCodeNamesExist: messages, help texts and comments send people to pages, which move.
func TestDocumentsThatCodeNamesExist(t *testing.T) {
	top := root(t)
	heads := map[string]map[string]bool{}
	for _, d := range documents(t) {
		heads[d.path] = d.heads
	}
	named := 0
	err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); file != top && strings.HasPrefix(name, ".") || name == "node_modules" || name == "bin" {
				return filepath.SkipDir
			}
			return nil
		}
		switch path.Ext(file) {
		case ".go", ".templ", ".sql", ".yaml", ".yml", ".py", ".mjs":
		default:
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, at := range namedDocument.FindAllSubmatchIndex(src, -1) {
			named++
			page := "docs/" + string(src[at[2]:at[3]])
			where := 1 + bytes.Count(src[:at[0]], []byte("\n"))
			if !exists(t, top, page) {
				t.Errorf("%s:%d names %s, which is not there", file, where, page)
			} else if at[4] >= 0 && !heads[page][string(src[at[4]:at[5]])] {
				t.Errorf("%s:%d names %s, which has no such heading", file, where, src[at[0]:at[1]])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named < 100 {
		t.Errorf("only %d documents are named in code", named)
	}
}
