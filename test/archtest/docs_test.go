package archtest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// document is a page for people: Markdown, split line by line.
type document struct {
	path  string // from the top of the repository
	prose []line // outside code blocks, without code spans
	code  []line // lines of code blocks, and code spans
	heads map[string]bool
}

type line struct {
	number int
	text   string
}

var (
	codeSpan   = regexp.MustCompile("`([^`]+)`")
	linkTo     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	testName   = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*…?`)
	testFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	makeGoal   = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	packageDir = regexp.MustCompile(`^\./[a-z0-9_/]+`)
	aPath      = regexp.MustCompile(`^[a-z.][\w.-]*(/[\w.-]+)+/?$`)
)

// documents reads what people read: all pages at the top and in docs.
func documents(t *testing.T) []*document {
	t.Helper()
	top := root(t)
	var list []*document
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"} {
		names, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, err := filepath.Rel(top, name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, readDocument(filepath.ToSlash(rel), string(text)))
		}
	}
	if len(list) < 20 {
		t.Fatalf("only %d documents found", len(list))
	}
	return list
}

func readDocument(name, text string) *document {
	d := &document{path: name, heads: map[string]bool{}}
	fenced, block, blank := false, false, true // block: indented by four after a blank line
	for i, s := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(s)
		block = strings.HasPrefix(s, "    ") && (block || blank)
		blank = trimmed == ""
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
		case fenced || block:
			d.code = append(d.code, line{i + 1, trimmed})
		default:
			if title, ok := strings.CutPrefix(strings.TrimLeft(s, "#"), " "); ok && strings.HasPrefix(s, "#") {
				d.heads[anchor(title)] = true
			}
			d.read(i+1, s)
		}
	}
	return d
}

func (d *document) read(number int, s string) {
	for _, span := range codeSpan.FindAllStringSubmatch(s, -1) {
		d.code = append(d.code, line{number, span[1]})
	}
	d.prose = append(d.prose, line{number, s})
}

// anchor is the anchor of a heading in GitHub's form.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}

func exists(t *testing.T, top, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// TestLinksOfDocumentsLead follows every relative link, including its heading.
func TestLinksOfDocumentsLead(t *testing.T) {
	top, list := root(t), documents(t)
	byPath := map[string]*document{}
	for _, d := range list {
		byPath[d.path] = d
	}
	for _, d := range list {
		for _, l := range d.prose {
			for _, m := range linkTo.FindAllStringSubmatch(codeSpan.ReplaceAllString(l.text, ""), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				file, head, named := strings.Cut(m[1], "#")
				target := d.path
				if file != "" {
					target = path.Join(path.Dir(d.path), file)
				}
				if !exists(t, top, target) {
					t.Errorf("%s:%d links to %s, which is not there", d.path, l.number, m[1])
				} else if to := byPath[target]; named && (to == nil || !to.heads[head]) {
					t.Errorf("%s:%d links to %s, which has no such heading", d.path, l.number, m[1])
				}
			}
		}
	}
}

// TestPathsInDocumentsExist checks code that looks like a file or folder of this repository. A path with a word in
// capitals is a placeholder and is skipped.
func TestPathsInDocumentsExist(t *testing.T) {
	top := root(t)
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents(t) {
		for _, l := range d.code {
			first, _, _ := strings.Cut(l.text, "/")
			ours := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() && e.Name() == first })
			if !ours || !aPath.MatchString(l.text) || strings.ContainsFunc(l.text, unicode.IsUpper) {
				continue
			}
			if !exists(t, top, l.text) {
				t.Errorf("%s:%d names %s, which is not there", d.path, l.number, l.text)
			}
		}
	}
}

// knownTests are the tests, fuzz targets and benchmarks of each folder.
type knownTests map[string][]string

func readTests(t *testing.T) knownTests {
	t.Helper()
	known := knownTests{}
	goSources(t, func(name string, src []byte) {
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range testFunc.FindAllSubmatch(src, -1) {
				known[path.Dir(name)] = append(known[path.Dir(name)], string(m[1]))
			}
		}
	})
	return known
}

// fault is the error in a go command: a package that does not exist, or a pattern that matches none of its tests.
func (k knownTests) fault(t *testing.T, top string, words []string) string {
	t.Helper()
	var meant []*regexp.Regexp
	var folders []string
	for i, w := range words {
		if (w == "-run" || w == "-bench") && i+1 < len(words) && words[i+1] != "xxx" {
			pattern, err := regexp.Compile(words[i+1])
			if err != nil {
				return err.Error()
			}
			meant = append(meant, pattern)
		}
		if dir := packageDir.FindString(w); dir != "" && strings.TrimSuffix(w, "/...") == strings.TrimSuffix(dir, "/") {
			if !exists(t, top, dir) {
				return "there is no package " + dir
			}
			folders = append(folders, strings.TrimPrefix(strings.TrimSuffix(w, "/..."), "./"))
		}
	}
	for _, pattern := range meant {
		found := len(folders) == 0
		for dir, names := range k {
			within := slices.ContainsFunc(folders, func(f string) bool { return dir == f || strings.HasPrefix(dir, f+"/") })
			found = found || within && slices.ContainsFunc(names, pattern.MatchString)
		}
		if !found {
			return "no test is called " + pattern.String()
		}
	}
	return ""
}

// TestTestsInDocumentsExist: pages of evidence name the tests that prove them.
func TestTestsInDocumentsExist(t *testing.T) {
	known := map[string]bool{}
	for _, names := range readTests(t) {
		for _, name := range names {
			known[name] = true
		}
	}
	for _, d := range documents(t) {
		for _, l := range d.prose {
			for _, name := range testName.FindAllString(l.text, -1) {
				start, open := strings.CutSuffix(name, "…")
				begins := func() bool {
					for k := range known {
						if strings.HasPrefix(k, start) {
							return true
						}
					}
					return false
				}
				if !known[start] && (!open || !begins()) {
					t.Errorf("%s:%d names %s: there is no such test", d.path, l.number, name)
				}
			}
		}
	}
}

// TestCommandsInDocumentsExist checks every command that a page tells people to type: its name, its flags, its dataset
// or source, goals of make, packages.
func TestCommandsInDocumentsExist(t *testing.T) {
	top := root(t)
	makefile, err := os.ReadFile(filepath.Join(top, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	goals := map[string]bool{}
	for _, m := range makeGoal.FindAllSubmatch(makefile, -1) {
		goals[string(m[1])] = true
	}
	cli, tests := readCommands(t), readTests(t)
	seen := 0
	for _, d := range documents(t) {
		for _, l := range d.code {
			for _, words := range commandsOf(l.text) {
				var fault string
				switch program := path.Base(words[0]); {
				case program == "gpuledger":
					seen++
					fault = cli.fault(words[1:])
				case cli.children[program] != nil && slices.ContainsFunc(words, isFlag):
					fault = cli.fault(words)
				case program == "make" && len(words) > 1 && !goals[words[1]] && !strings.Contains(words[1], "="):
					fault = "make has no goal " + words[1]
				case program == "go":
					fault = tests.fault(t, top, words)
				}
				if fault != "" {
					t.Errorf("%s:%d: %s: %s", d.path, l.number, strings.Join(words, " "), fault)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d commands found", seen)
	}
}

// TestMistakesInDocumentsAreFound: the tests above can fail.
func TestMistakesInDocumentsAreFound(t *testing.T) {
	cli := readCommands(t)
	for _, right := range []string{
		"gpuledger report costs --group-by team --order -effective_cost --limit 10 | head # first",
		"bin/gpuledger --config FILE import NAME",
		"GOGC=off gpuledger policy try strict.yaml --from=2026-11-01",
		"gpuledger import slurm ./sacct.txt --time-zone 'Europe/Paris'",
		"gpuledger explain 'costs?filter=cause = lost' --list all > x && python3 y.py < x",
	} {
		for _, words := range commandsOf(right) {
			if fault := cli.fault(words[1:]); path.Base(words[0]) == "gpuledger" && fault != "" {
				t.Errorf("%s: %s", right, fault)
			}
		}
	}
	for _, wrong := range []string{
		"gpuledger reprot costs", "gpuledger report costs --groupby team", "gpuledger report kosts",
		"gpuledger import aws-kur ./x", "gpuledger policy store x.yaml", "gpuledger verify --all",
		"gpuledger allocate && gpuledger verifi",
	} {
		found := false
		for _, words := range commandsOf(wrong) {
			found = found || cli.fault(words[1:]) != ""
		}
		if !found {
			t.Errorf("%s is taken for right", wrong)
		}
	}
	tests := knownTests{"metrics/waste": {"TestIdleIsWaste"}}
	for command, right := range map[string]bool{
		"go test ./metrics/waste -run Idle -v": true, "go test ./metrics/... -run Idle": true,
		"go test ./metrics/waste -run Idel": false,
		"go test ./internal/nowhere":        false, "go test -run xxx -bench . ./metrics/...": true,
	} {
		for _, words := range commandsOf(command) {
			if fault := tests.fault(t, root(t), words); (fault == "") != right {
				t.Errorf("%s: %q", command, fault)
			}
		}
	}
	d := readDocument("x.md", "# One, and *two*: 3\n\n```\n# no heading\n```\nsee [a](y.md#z)\n")
	if !d.heads["one-and-two-3"] || len(d.heads) != 1 {
		t.Errorf("headings: %v", d.heads)
	}
	if m := linkTo.FindStringSubmatch(d.prose[2].text); !bytes.Equal([]byte(m[1]), []byte("y.md#z")) {
		t.Errorf("link: %v", m)
	}
}
