package script

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	bold   = regexp.MustCompile(`\*\*(-?[0-9.]+)\*\*`)
	proof  = regexp.MustCompile(`\[([^\]]+)\]\(([^)\s]+(?:\.case|_test\.go))\)`)
	number = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?`)
)

// TestTheTwentyMostAsked compares the examples of docs/answer/twenty.md with the cases and tests that they link to:
// each number in bold is in an expected table of the case, or in a string of the test.
func TestTheTwentyMostAsked(t *testing.T) {
	page := filepath.Join(top(t), "docs", "answer", "twenty.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	if len(sections) != 20 {
		t.Errorf("%d sections, and the page says twenty", len(sections))
	}
	for _, section := range sections {
		title, _, _ := strings.Cut(section, "\n")
		proven := map[string]bool{}
		for _, link := range proof.FindAllStringSubmatch(section, -1) {
			for _, n := range results(t, filepath.Join(filepath.Dir(page), filepath.FromSlash(link[2])), link[1]) {
				proven[n] = true
			}
		}
		examples := bold.FindAllStringSubmatch(section, -1)
		if len(examples) == 0 {
			t.Errorf("%s: no result in bold", title)
		}
		for _, example := range examples {
			if !proven[example[1]] {
				t.Errorf("%s: no linked case or test has %s as a result", title, example[1])
			}
		}
	}
}

// results are the numbers in the tables of a case, or in the test called name.
func results(t *testing.T, file, name string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	body := string(text)
	var lines []string
	if strings.HasSuffix(file, ".case") {
		for line := range strings.Lines(body) {
			if strings.Contains(line, "|") {
				lines = append(lines, line)
			}
		}
	} else {
		_, after, ok := strings.Cut(body, "func "+name+"(")
		if !ok {
			t.Errorf("%s has no test %s", file, name)
		}
		body, _, _ = strings.Cut(after, "\n}\n")
		lines = regexp.MustCompile(`"[^"]*"`).FindAllString(body, -1)
	}
	return number.FindAllString(strings.Join(lines, "\n"), -1)
}
