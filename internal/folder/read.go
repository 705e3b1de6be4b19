package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/ingest/pricebook"
	"gpuledger/internal/nearest"
	"gpuledger/internal/yamlfault"
)

// Options are checks that belong to other rooms.
type Options struct {
	// Page refuses any address other than a page of the server.
	Page func(address string) error
	// Target refuses a folder that nothing can be written to.
	Target func(uri string) error
}

// ErrEmpty says that a folder has no file to read.
var ErrEmpty = errors.New("there is no file that ends in .yaml or .yml")

// Read reads the files of a folder, in all its subfolders. Names that start with a dot are skipped. The error is one of
// reading; faults of the content are listed, each with its place.
func Read(files fs.FS, o Options) (*Folder, []Fault, error) {
	r := &reader{options: o, folder: &Folder{}, named: map[string]Place{}}
	found := 0
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || path.Ext(name) != ".yaml" && path.Ext(name) != ".yml":
			return nil
		}
		found++
		info, err := fs.Stat(files, name)
		if err != nil {
			return err
		}
		if info.Size() > pricebook.MaxBytes {
			r.fault(Place{name, 1}, "the file is larger than %d bytes", pricebook.MaxBytes)
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		r.file(name, text)
		return nil
	})
	if err == nil && found == 0 {
		err = ErrEmpty
	}
	return r.folder, sorted(r.faults), err
}

// reader collects the content of files, and their faults.
type reader struct {
	options Options
	folder  *Folder
	faults  []Fault
	named   map[string]Place // by kind and name
}

func (r *reader) fault(at Place, format string, args ...any) {
	r.faults = append(r.faults, Fault{at, fmt.Sprintf(format, args...)})
}

// once refuses a second thing with the same kind and name.
func (r *reader) once(at Place, kind, name string) {
	key := kind + "\x00" + name
	if first, twice := r.named[key]; twice {
		r.fault(at, "%s %q is also in %s:%d: leave one of them out", kind, name, first.File, first.Line)
		return
	}
	r.named[key] = at
}

// document is one of the documents of a file.
type document struct {
	file   string
	before int // lines of the file before the text
	text   []byte
	root   *yaml.Node // a mapping
}

// at is the place of a line of the document.
func (d *document) at(line int) Place { return Place{d.file, d.before + max(line, 1)} }

// separator starts the next document. YAML allows it nowhere else at the start of a line.
var separator = regexp.MustCompile(`(?m)^---(?:[ \t\r]|$)`)

// file reads each document of a file.
func (r *reader) file(name string, text []byte) {
	starts := [][]int{{0, 0}}
	starts = append(starts, separator.FindAllIndex(text, -1)...)
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		d := document{file: name, before: bytes.Count(text[:start[1]], []byte("\n")), text: text[start[1]:end]}
		r.document(&d)
	}
}

func (r *reader) document(d *document) {
	var doc yaml.Node
	if err := yaml.Unmarshal(d.text, &doc); err != nil {
		for _, f := range yamlfault.Decoded(d.text, err) {
			r.fault(d.at(f.Line), "this is not YAML: %s", f.Text)
		}
		return
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind == yaml.ScalarNode && doc.Content[0].Tag == "!!null" {
		return // only comments
	}
	d.root = doc.Content[0]
	kinds := slices.Sorted(slices.Values(Kinds))
	if d.root.Kind != yaml.MappingNode {
		r.fault(d.at(d.root.Line), "a file has fields, the first of which is kind: write kind: and one of %s",
			strings.Join(kinds, ", "))
		return
	}
	kind := field(d.root, "kind")
	read, known := map[string]func(*document){
		KindPolicy: r.policy, KindMapping: r.mapping, KindBudgets: r.budgets, KindPriceBook: r.book, KindView: r.view,
		KindSchedule: r.schedule,
	}[valueOf(kind)]
	switch {
	case kind == nil:
		r.fault(d.at(d.root.Line), "kind is missing: write kind: and one of %s", strings.Join(kinds, ", "))
	case !known:
		r.fault(d.at(kind.Line), "kind %q is unknown%s: write one of %s", valueOf(kind),
			nearest.Suggest(valueOf(kind), kinds), strings.Join(kinds, ", "))
	default:
		r.folder.Files++
		read(d)
	}
}

// field is the value of a field of a mapping; nil if it is not there.
func field(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// valueOf is a plain value as written; empty for null and for anything else.
func valueOf(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// fields refuses fields that are unknown, given twice or not plain values, and returns the others as written.
func (r *reader) fields(
	d *document, n *yaml.Node, known []string, lists ...string,
) (values map[string]string, ok bool) {
	values, ok = map[string]string{}, true
	wrong := func(at *yaml.Node, format string, args ...any) {
		r.fault(d.at(at.Line), format, args...)
		ok = false
	}
	if n.Kind != yaml.MappingNode {
		wrong(n, "fields are expected here: write %s", strings.Join(known, ", "))
		return values, ok
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		_, twice := values[key.Value]
		switch {
		case !slices.Contains(known, key.Value):
			wrong(key, "%q is not a field%s: write %s", key.Value, nearest.Suggest(key.Value, known),
				strings.Join(known, ", "))
		case twice:
			wrong(key, "%s is given twice: leave one of them out", key.Value)
		case slices.Contains(lists, key.Value):
			values[key.Value] = ""
			if value.Kind != yaml.SequenceNode {
				wrong(value, "%s is a list: write each entry on a line that starts with a hyphen", key.Value)
			}
		case value.Kind != yaml.ScalarNode:
			wrong(value, "%s is a plain value, not a list or fields", key.Value)
		default:
			values[key.Value] = valueOf(value)
		}
	}
	return values, ok
}
