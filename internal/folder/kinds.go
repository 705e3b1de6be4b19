package folder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"gpuledger/allocation/policy"
	"gpuledger/ingest/budgets"
	"gpuledger/ingest/pricebook"
	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/yamlfault"
)

// whole is the text of a document that is stored as written: without empty lines at its ends.
func (d *document) whole() string {
	return strings.TrimRight(strings.TrimLeft(string(d.text), "\r\n"), " \t\r\n") + "\n"
}

// rules are the places of the first n mapped values.
func (d *document) rules(n int) []Place {
	list := make([]Place, n)
	for i := range list {
		list[i] = d.at(yamlfault.Line(d.root, "values", i))
	}
	return list
}

func (r *reader) policy(d *document) {
	v, faults := policy.Check(d.text)
	for _, f := range faults {
		r.fault(d.at(f.Line), "%s", f.Text)
	}
	at := d.at(yamlfault.Line(d.root, "version"))
	r.once(at, KindPolicy, v.Settings.Version)
	r.folder.Policies = append(r.folder.Policies, Policy{at, v, d.whole(), d.rules(len(v.Values))})
}

func (r *reader) mapping(d *document) {
	m, faults := policy.CheckMapping(d.text)
	for _, f := range faults {
		r.fault(d.at(f.Line), "%s", f.Text)
	}
	at := d.at(yamlfault.Line(d.root, "name"))
	r.once(at, KindMapping, m.Name+from(m.ValidFrom))
	r.folder.Mappings = append(r.folder.Mappings, Mapping{at, m, d.whole(), d.rules(len(m.Values))})
}

// OneMapping is a folder with one mapping, whose document need not have a kind.
func OneMapping(file string, text []byte) (*Folder, []Fault) {
	r := &reader{folder: &Folder{}, named: map[string]Place{}}
	var doc yaml.Node
	d := &document{file: file, text: text, root: &doc}
	if err := yaml.Unmarshal(text, &doc); err == nil && len(doc.Content) > 0 { // else CheckMapping lists the faults
		d.root = doc.Content[0]
	}
	r.mapping(d)
	return r.folder, sorted(r.faults)
}

func (r *reader) budgets(d *document) {
	if _, ok := r.fields(d, d.root, []string{"kind", "budgets"}, "budgets"); !ok {
		return
	}
	list := field(d.root, "budgets")
	if list == nil {
		r.fault(d.at(d.root.Line), "budgets is missing: write budgets: and a list of entries with %s",
			strings.Join(budgets.Columns(), ", "))
		return
	}
	for _, entry := range list.Content {
		r.budget(d, entry)
	}
}

// budget reads one budget as a row of an import has it. If a field can't be read, the values of the others are judged.
func (r *reader) budget(d *document, entry *yaml.Node) {
	if entry.Kind == yaml.AliasNode {
		entry = entry.Alias
	}
	values, ok := r.fields(d, entry, budgets.Columns())
	if entry.Kind != yaml.MappingNode {
		return
	}
	for name, value := range values {
		if value == "" {
			delete(values, name)
		}
	}
	row, err := json.Marshal(values)
	if err != nil { // texts only: it can't fail
		r.fault(d.at(entry.Line), "%s", err)
		return
	}
	found, read, err := budgets.Parse(context.Background(), bytes.NewReader(row), d.file)
	wrong := read.First
	if whole, is := errors.AsType[*ledger.FileError](err); is {
		wrong = append(wrong, whole.Rejection)
	} else if err != nil {
		r.fault(d.at(entry.Line), "%s", err)
	}
	for _, w := range wrong {
		if values[w.Column] == "" && !ok {
			continue // it may be the field that can't be read
		}
		line := entry.Line
		if n := field(entry, w.Column); n != nil {
			line = n.Line
		}
		name := ""
		if w.Column != "" {
			name = w.Column + ": "
		}
		r.fault(d.at(line), "%s%s", name, w.Detail)
	}
	if !ok || len(wrong) > 0 || len(found) != 1 {
		return
	}
	b := found[0]
	at := d.at(entry.Line)
	b.File, b.Line = at.File, int64(at.Line)
	r.once(at, KindBudgets, b.Name)
	r.folder.Budgets = append(r.folder.Budgets, b)
}

func (r *reader) book(d *document) {
	source := path.Base(d.file)
	book, tally, err := pricebook.Parse(bytes.NewReader(d.text), source)
	if err != nil {
		r.fault(d.at(1), "%s", err)
		return
	}
	for _, w := range tally.First {
		name := ""
		if w.Column != "" {
			name = w.Column + ": "
		}
		r.fault(d.at(int(w.Line)), "%s%s: %s", name, w.Reason, w.Detail)
	}
	book.Place(d.file, d.before)
	name := book.Name
	if name == "" {
		name = strings.TrimSuffix(source, path.Ext(source))
	}
	at := d.at(d.root.Line)
	r.once(at, KindPriceBook, name)
	b := Book{Place: at, Name: name, Rates: book.Rates, Lines: book.RateLines}
	if len(book.Owned) > 0 {
		b.Owned, b.issuedAt = book, d.at(yamlfault.Line(d.root, "issued_at"))
	}
	r.folder.Books = append(r.folder.Books, b)
}

func (r *reader) view(d *document) {
	values, ok := r.fields(d, d.root, []string{"kind", "name", "url", "shared"})
	if !ok {
		return
	}
	name := strings.TrimSpace(values["name"])
	if name == "" || utf8.RuneCountInString(name) > access.LongestViewName ||
		strings.ContainsFunc(name, unicode.IsControl) {
		r.fault(d.at(yamlfault.Line(d.root, "name")), "name is %q: write one line of 1 to %d characters", name,
			access.LongestViewName)
	}
	url := values["url"]
	if err := r.options.Page(url); err != nil {
		r.fault(d.at(yamlfault.Line(d.root, "url")), "%s: write the path of a page, such as /chargeback?team=speech", err)
	}
	if shared, given := values["shared"]; given && shared != "true" {
		r.fault(d.at(yamlfault.Line(d.root, "shared")), "shared is %s: views of a folder are for everyone, so write true or leave "+
			"it out", shared)
	}
	at := d.at(yamlfault.Line(d.root, "name"))
	r.once(at, KindView, name)
	r.folder.Views = append(r.folder.Views, View{Place: at, Name: name, URL: url})
}
