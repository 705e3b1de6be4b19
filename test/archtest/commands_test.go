package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// command is one command of gpuledger, declared by its struct in cmd/gpuledger.
type command struct {
	name     string
	parent   *command
	children map[string]*command
	usual    *command        // the child whose name may be left out; nil: none
	flags    map[string]bool // whether it takes a value
	first    map[string]bool // possible first arguments; nil: any
}

// readCommands reads the command line from its source: fields with the tag
// cmd are commands, with arg arguments, all others flags.
func readCommands(t *testing.T) *command {
	t.Helper()
	types := map[string]*ast.StructType{}
	for _, file := range parseFolder(t, "cmd/gpuledger") {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					types[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	cli := readCommand(types, "gpuledger", "cli", nil)
	if len(cli.children) < 10 {
		t.Fatalf("only %d commands found", len(cli.children))
	}
	cli.flags["help"] = false
	cli.children["report"].first = datasets(t)
	cli.children["import"].first = sources(t)
	cli.children["export"].usual.first = datasets(t)
	return cli
}

func readCommand(types map[string]*ast.StructType, name, typ string, parent *command) *command {
	c := &command{name: name, parent: parent, children: map[string]*command{}, flags: map[string]bool{}}
	c.add(types, types[typ])
	return c
}

func (c *command) add(types map[string]*ast.StructType, s *ast.StructType) {
	if s == nil {
		return
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 {
			if id, ok := f.Type.(*ast.Ident); ok {
				c.add(types, types[id.Name])
			}
			continue
		}
		if f.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue // the compiler reports it
		}
		tag := reflect.StructTag(text)
		name := tag.Get("name")
		if name == "" {
			name = dashed(f.Names[0].Name)
		}
		id, _ := f.Type.(*ast.Ident)
		if _, ok := tag.Lookup("cmd"); ok && id != nil {
			c.children[name] = readCommand(types, name, id.Name, c)
			if tag.Get("default") == "withargs" {
				c.usual = c.children[name]
			}
		} else if _, ok := tag.Lookup("arg"); !ok {
			c.flags[name] = id == nil || id.Name != "bool"
		}
	}
}

var lowerUpper = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// dashed is kong's flag name of a field.
func dashed(name string) string {
	return strings.ToLower(lowerUpper.ReplaceAllString(name, "$1-$2"))
}

// fault is the error in the words after gpuledger, empty if there is none.
func (c *command) fault(words []string) string {
	at, arguments := c, 0
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case isFlag(w):
			name, _, joined := strings.Cut(strings.TrimPrefix(w, "--"), "=")
			valued, ok := at.flag(name)
			if !ok {
				return at.name + " has no flag --" + name
			}
			if valued && !joined {
				i++
			}
		case isPlaceholder(w):
			arguments++
		case at.usual != nil && at.children[w] == nil:
			at = at.usual
			i-- // the word is its argument
		case len(at.children) > 0:
			if at.children[w] == nil {
				return at.name + " has no command " + w
			}
			at = at.children[w]
		default:
			if arguments++; arguments == 1 && at.first != nil && !at.first[w] {
				return at.name + " does not know " + w
			}
		}
	}
	return ""
}

func (c *command) flag(name string) (valued, ok bool) {
	for at := c; at != nil; at = at.parent {
		if valued, ok = at.flags[name]; ok {
			return valued, true
		}
	}
	return false, false
}

func isFlag(word string) bool { return strings.HasPrefix(word, "--") && len(word) > 2 }

// isPlaceholder recognises NAME, FILE… and … among literal words.
func isPlaceholder(word string) bool {
	capitals := strings.ContainsFunc(word, unicode.IsUpper) && !strings.ContainsFunc(word, unicode.IsLower)
	return capitals || strings.Contains(word, "…")
}

// commandsOf splits a line into its commands and these into words, like a shell: quotes hold words together, and #
// begins a comment.
func commandsOf(text string) [][]string {
	var list [][]string
	var words []string
	var word strings.Builder
	var quote rune
	open, skip := false, false
	endWord := func() {
		w := word.String()
		word.Reset()
		assignment := len(words) == 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(w)
		if open && !skip && !assignment {
			words = append(words, w)
		}
		if open {
			skip = false
		}
		open = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			list = append(list, words)
		}
		words = nil
	}
	for _, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == '#' && !open:
			endCommand()
			return list
		case r == '|' || r == '&' || r == ';':
			endCommand()
		case r == '<' || r == '>':
			endWord()
			skip = true
		case unicode.IsSpace(r):
			endWord()
		default:
			word.WriteRune(r)
			open = true
		}
	}
	endCommand()
	return list
}

func parseFolder(t *testing.T, folder string) []*ast.File {
	t.Helper()
	dir := filepath.Join(root(t), filepath.FromSlash(folder))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

var datasetHead = regexp.MustCompile("(?m)^#+ `?([a-z_]+)`?$")

// datasets are those of docs/reference/datasets.md, which a test of metrics keeps true.
func datasets(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "reference", "datasets.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range datasetHead.FindAllSubmatch(text, -1) {
		names[string(m[1])] = true
	}
	if len(names) < 20 {
		t.Fatalf("only %d datasets found", len(names))
	}
	return names
}

// sources are the constants of package ingest, and those of its parsers, whose
// name begins with Source.
func sources(t *testing.T) map[string]bool {
	t.Helper()
	folders := []string{"ingest"}
	entries, err := os.ReadDir(filepath.Join(root(t), "ingest"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, "ingest/"+e.Name())
		}
	}
	names := map[string]bool{}
	for _, folder := range folders {
		for _, file := range parseFolder(t, folder) {
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Source") {
					return true
				}
				if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if name, err := strconv.Unquote(lit.Value); err == nil {
						names[name] = true
					}
				}
				return true
			})
		}
	}
	if len(names) < 15 {
		t.Fatalf("only %d sources found", len(names))
	}
	return names
}
