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

var (
	ruleNumber = regexp.MustCompile(`(?m)^(\d+\.\d+[a-z]?) `)
	ruleCited  = regexp.MustCompile(`\brules? ((?:\d+\.\d+[a-z]?(?:, | and )?)+)`)
	oneNumber  = regexp.MustCompile(`\d+\.\d+[a-z]?`)
)

// TestRulesHaveOneNumber: code and pages cite rules by number, so a number names one rule, and a cited one exists.
func TestRulesHaveOneNumber(t *testing.T) {
	top := root(t)
	rules := map[string]int{}
	for _, page := range []string{"docs/rules.md", "docs/figures.md"} {
		text, err := os.ReadFile(filepath.Join(top, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ruleNumber.FindAllSubmatch(text, -1) {
			rules[string(m[1])]++
		}
	}
	if len(rules) < 150 {
		t.Errorf("only %d rules were found", len(rules))
	}
	for number, times := range rules {
		if times > 1 {
			t.Errorf("%d rules have the number %s", times, number)
		}
	}
	cited := func(name string, text []byte) {
		for _, m := range ruleCited.FindAllSubmatch(text, -1) {
			for _, number := range oneNumber.FindAllString(string(m[1]), -1) {
				if rules[number] == 0 {
					t.Errorf("%s cites rule %s, which does not exist", name, number)
				}
			}
		}
	}
	goSources(t, cited)
	for _, d := range documents(t) {
		for _, l := range d.prose {
			cited(d.path, []byte(l.text))
		}
	}
}
