package folder

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
)

// Export is the stored configuration, as files by name. Compare finds no difference between them and the state.
func Export(s *State) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range s.Policies {
		if p.Withdrawn {
			continue
		}
		text, err := withKind(KindPolicy, p.Document)
		if err != nil {
			return nil, fmt.Errorf("policy %s: %w", p.Settings.Version, err)
		}
		out[fileName(out, KindPolicy, p.Settings.Version)] = text
	}
	for _, m := range s.Mappings {
		text, err := withKind(KindMapping, m.Document)
		if err != nil {
			return nil, fmt.Errorf("mapping %s: %w", m.Name, err)
		}
		out[fileName(out, KindMapping, m.Name+from(m.ValidFrom))] = text
	}
	if len(s.Budgets) > 0 {
		file := budgetFile{Kind: KindBudgets}
		for i := range s.Budgets {
			file.Budgets = append(file.Budgets, budgetOf(&s.Budgets[i]))
		}
		if err := write(out, "budgets.yaml", file); err != nil {
			return nil, err
		}
	}
	rates, err := exportOwned(out, s)
	if err != nil {
		return nil, err
	}
	for i, rates := range booksOf(rates) {
		file := rateFile{Kind: KindPriceBook, Name: fmt.Sprintf("rates-%d", i+1)}
		for i := range rates {
			file.Rates = append(file.Rates, rateOf(&rates[i]))
		}
		if err := write(out, file.Name+".yaml", file); err != nil {
			return nil, err
		}
	}
	named := map[string]bool{}
	var views []any
	for _, v := range s.Views {
		if !named[v.Name] { // a second one of the name is another person's
			views = append(views, viewFile{KindView, v.Name, v.URL})
		}
		named[v.Name] = true
	}
	if len(views) > 0 {
		if err := write(out, "views.yaml", views...); err != nil {
			return nil, err
		}
	}
	return out, exportSchedules(out, s.Schedules)
}

type budgetFile struct {
	Kind    string        `yaml:"kind"`
	Budgets []budgetEntry `yaml:"budgets"`
}

// budgetEntry has the columns of an import of budgets.
type budgetEntry struct {
	Name     string `yaml:"name"`
	Key      string `yaml:"key"`
	Value    string `yaml:"value,omitempty"`
	Period   string `yaml:"period"`
	Start    string `yaml:"start,omitempty"`
	Amount   string `yaml:"amount"`
	Unit     string `yaml:"unit"`
	Currency string `yaml:"currency,omitempty"`
	Parent   string `yaml:"parent,omitempty"`
}

func budgetOf(b *ledger.Budget) budgetEntry {
	v := budgetValues(b)
	return budgetEntry{b.Name, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]}
}

type rateFile struct {
	Kind  string      `yaml:"kind"`
	Name  string      `yaml:"name"`
	Rates []rateEntry `yaml:"rates"`
}

// rateEntry has the fields of a rate in a price book.
type rateEntry struct {
	InstanceType string `yaml:"instance_type"`
	Region       string `yaml:"region,omitempty"`
	PriceClass   string `yaml:"price_class"`
	Currency     string `yaml:"currency"`
	Hourly       string `yaml:"hourly"`
	ValidFrom    string `yaml:"valid_from,omitempty"`
	ValidTo      string `yaml:"valid_to,omitempty"`
	Source       string `yaml:"source"`
}

func rateOf(r *ledger.Rate) rateEntry {
	e := rateEntry{InstanceType: r.InstanceType, Region: r.Region, PriceClass: string(r.PriceClass), Currency: r.Currency,
		Hourly: r.Hourly.String(), Source: r.Source}
	w := when(r)
	if w.From > 0 {
		e.ValidFrom = w.From.String()
	}
	if w.To < openEnd {
		e.ValidTo = w.To.String()
	}
	return e
}

// booksOf deals rates to books so that no book has two for the same machines at the same time. Repeated rates are left
// out.
func booksOf(rates []ledger.Rate) (books [][]ledger.Rate) {
	for _, r := range rates {
		place := 0
		for ; place < len(books); place++ {
			i := slices.IndexFunc(books[place], func(o ledger.Rate) bool {
				return o.InstanceType == r.InstanceType && o.Region == r.Region && o.PriceClass == r.PriceClass &&
					when(&o).Overlaps(when(&r))
			})
			if i < 0 {
				break
			}
			if o := &books[place][i]; o.Currency == r.Currency && o.Hourly.Cmp(r.Hourly) == 0 && when(o) == when(&r) {
				place = -1
				break
			}
		}
		switch {
		case place < 0:
		case place == len(books):
			books = append(books, []ledger.Rate{r})
		default:
			books[place] = append(books[place], r)
		}
	}
	return books
}

type viewFile struct {
	Kind string `yaml:"kind"`
	Name string `yaml:"name"`
	URL  string `yaml:"url"`
}

// write adds a file of documents.
func write(out map[string]string, name string, documents ...any) error {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	for _, d := range documents {
		if err := enc.Encode(d); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := enc.Close(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out[name] = b.String()
	return nil
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// fileName is a new name for a file.
func fileName(taken map[string]string, kind, name string) string {
	base := kind + "-" + unsafe.ReplaceAllString(name, "-")
	for n := 1; ; n++ {
		file := base + ".yaml"
		if n > 1 {
			file = fmt.Sprintf("%s-%d.yaml", base, n)
		}
		if _, there := taken[file]; !there {
			return file
		}
	}
}

// withKind is a stored document with its kind, as written if possible.
func withKind(kind, text string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return "", err
	}
	root := doc.Content[0]
	if field(root, "kind") != nil {
		return text, nil
	}
	if root.Style&yaml.FlowStyle == 0 && !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "%") {
		return "kind: " + kind + "\n" + strings.TrimLeft(text, "\r\n"), nil
	}
	root.Content = append([]*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "kind"}, {Kind: yaml.ScalarNode, Value: kind},
	}, root.Content...)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return "", err
	}
	return b.String(), enc.Close()
}
