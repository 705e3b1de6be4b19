package prose

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A passage is text that belongs together, with the line of its file at which it begins.
type passage struct {
	file  string
	line  int
	texts []string // its lines, without markup
}

// A finding is a turn in a passage.
type finding struct {
	file    string
	line    int
	phrase  string
	context string
	instead string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %q in %q: write %s", f.file, f.line, f.phrase, f.context, f.instead)
}

// findings are the turns of a passage. A turn that is broken over two lines is found, too.
func (p passage) findings() []finding {
	text := strings.Join(p.texts, "\n")
	flat := strings.ReplaceAll(text, "\n", " ")
	asked := question.FindAllStringIndex(flat, -1)
	var out []finding
	for _, t := range turns {
		for _, at := range t.pattern.FindAllStringIndex(flat, -1) {
			if within(asked, at) {
				continue
			}
			out = append(out, finding{
				file:    p.file,
				line:    p.line + strings.Count(text[:at[0]], "\n"),
				phrase:  flat[at[0]:at[1]],
				context: flat[max(0, at[0]-40):min(len(flat), at[1]+40)],
				instead: t.instead,
			})
		}
	}
	return out
}

func within(spans [][]int, at []int) bool {
	for _, s := range spans {
		if s[0] <= at[0] && at[1] <= s[1] {
			return true
		}
	}
	return false
}

var (
	code = regexp.MustCompile("`[^`]*`")
	link = regexp.MustCompile(`\]\([^)]*\)`)
)

// document reads the paragraphs of a Markdown file. Blocks of code are left out.
func document(path string) ([]passage, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []passage
	var now passage
	end := func() {
		if len(now.texts) > 0 {
			out = append(out, now)
		}
		now = passage{}
	}
	fenced, n := false, 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			end()
			continue
		case fenced:
			continue
		case line == "", strings.HasPrefix(line, "|"), strings.HasPrefix(line, "#"), strings.HasPrefix(line, "- "):
			end()
		}
		if line == "" {
			continue
		}
		if len(now.texts) == 0 {
			now.file, now.line = path, n
		}
		now.texts = append(now.texts, link.ReplaceAllString(code.ReplaceAllString(line, "X"), "]"))
	}
	end()
	return out, lines.Err()
}

// goFile reads the comments of a Go file, and the literals that are read by people.
func goFile(path string) (comments, messages []passage, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil, nil
	}
	for _, group := range file.Comments {
		p := passage{file: path, line: set.Position(group.Pos()).Line}
		for _, c := range group.List {
			for _, line := range strings.Split(c.Text, "\n") {
				p.texts = append(p.texts, strings.TrimSpace(strings.TrimLeft(line, "/* \t")))
			}
		}
		comments = append(comments, p)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if _, imports := n.(*ast.ImportSpec); imports {
			return false
		}
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || !sentence.MatchString(text) {
			return true
		}
		messages = append(messages, passage{
			file:  path,
			line:  set.Position(literal.Pos()).Line,
			texts: strings.Split(code.ReplaceAllString(text, "X"), "\n"),
		})
		return true
	})
	return comments, messages, nil
}

// sentence is text with at least three words.
var sentence = regexp.MustCompile(`[A-Za-z]+[,;:]? [a-z]+[,;:]? [a-z]`)

// lines reads a file in which each run of lines that begin with a mark is a comment, as in SQL. Without a mark every
// line is a passage, as in a template.
func lines(path, mark string) ([]passage, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []passage
	var now *passage
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		rest, is := strings.CutPrefix(line, mark)
		if !is {
			now = nil
			continue
		}
		if now == nil || mark == "" {
			out = append(out, passage{file: path, line: i + 1})
			now = &out[len(out)-1]
		}
		now.texts = append(now.texts, strings.TrimSpace(rest))
	}
	return out, nil
}

// read returns what people read of a file, by the end of its name.
func read(path string) (docs, comments, messages []passage, err error) {
	switch filepath.Ext(path) {
	case ".md":
		docs, err = document(path)
	case ".go":
		comments, messages, err = goFile(path)
		if strings.HasSuffix(path, "_test.go") {
			messages = nil
		}
	case ".sql":
		comments, err = lines(path, "--")
	case ".templ":
		messages, err = lines(path, "")
	}
	return docs, comments, messages, err
}
