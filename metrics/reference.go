package metrics

import (
	"slices"
	"strings"
	"sync"

	"gpuledger/internal/ledger"
)

// Definition is the text about one figure wherever it is shown: a column, a group key, a cause, or a figure of a page.
type Definition struct {
	Anchor  string // "runs.lost_cost": names it on /docs/metrics
	Name    string
	Type    string // kind and unit in words
	Doc     string
	Formula string // empty: the figure is stored
	Source  string // tables it comes from
	Caveats []string
	Values  []string
	Target  *Target
}

// Section is a chapter of the reference: a dataset, or definitions that all share.
type Section struct {
	Name, Title, Doc string
	Definitions      []Definition
	// Heads replace "Figure", "Unit" and "Made of" in a chapter without figures.
	Heads [3]string
}

// ReferencePath is the page that shows the reference.
const ReferencePath = "/docs/metrics"

// Chapters that belong to no dataset.
const (
	ChapterFigures = "figure" // of pages
	ChapterCauses  = "cause"
	ChapterKeys    = "key"
)

// Reference is every definition: first the figures of pages, the causes and the group keys, then more, then every
// dataset. more are chapters of packages that import this one.
func Reference(more ...Section) []Section {
	out := []Section{
		{
			Name: ChapterFigures, Title: "Figures of pages",
			Doc:         "Figures that pages derive from several columns; every other figure is a column below.",
			Definitions: definitions(ChapterFigures, pageFigures),
		},
		{
			Name: ChapterCauses, Title: "Causes",
			Doc: "Why money was spent. Every posting has exactly one cause, so causes add up to the total.",
		},
		{
			Name: ChapterKeys, Title: "Group keys",
			Doc: "Keys to group and filter figures by; an unknown value is NULL.",
		},
	}
	for _, c := range ledger.Causes {
		out[1].Definitions = append(out[1].Definitions, Definition{
			Anchor: ChapterCauses + "." + string(c.Cause), Name: string(c.Cause),
			Type: "cause", Doc: c.Meaning, Source: "postings, usage",
		})
	}
	for _, k := range Keys {
		out[2].Definitions = append(out[2].Definitions, Definition{
			Anchor: ChapterKeys + "." + k.Name, Name: k.Name, Type: "text", Doc: k.Doc, Source: string(k.On),
		})
	}
	out = append(out, more...)
	for _, d := range Datasets {
		out = append(out, Section{Name: d.Name, Title: d.Name, Doc: d.Doc, Definitions: definitions(d.Name, d.Columns)})
	}
	return out
}

func definitions(chapter string, columns []Column) []Definition {
	out := make([]Definition, len(columns))
	for i, c := range columns {
		out[i] = Definition{
			Anchor: chapter + "." + c.Name, Name: c.Name, Type: typeWords(c),
			Doc: c.Doc, Formula: formulaText(c), Source: c.Source,
			Caveats: c.Caveats, Values: c.Values, Target: c.Target,
		}
	}
	return out
}

// typeWords is a column's kind and unit, without its values.
func typeWords(c Column) string {
	if c.Unit != "" {
		return string(c.Kind) + ", " + c.Unit
	}
	return string(c.Kind)
}

// index is Reference by anchor, built once: definitions never change.
var index = sync.OnceValue(func() map[string]Definition {
	out := map[string]Definition{}
	for _, s := range Reference() {
		for _, d := range s.Definitions {
			out[d.Anchor] = d
		}
	}
	return out
})

// Define finds a definition by its anchor.
func Define(anchor string) (Definition, bool) {
	d, ok := index()[anchor]
	return d, ok
}

// Tip is the definition in a line or two, for tooltips.
func (d Definition) Tip() string {
	lines := []string{d.Doc}
	if d.Formula != "" {
		lines = append(lines, "= "+d.Formula)
	}
	if d.Target != nil {
		lines = append(lines, "Target: "+d.Target.String())
	}
	return strings.Join(append(lines, d.Caveats...), "\n")
}

// Search keeps the definitions that contain every word of the text; an empty text keeps all. A word also finds a
// dataset by its name.
func Search(text string, more ...Section) []Section {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return Reference(more...)
	}
	var out []Section
	for _, s := range Reference(more...) {
		all := s.Definitions
		s.Definitions = slices.DeleteFunc(slices.Clone(all), func(d Definition) bool {
			said := strings.ToLower(strings.Join(append([]string{d.Anchor, strings.ReplaceAll(d.Name, "_", " "), d.Type, d.Doc,
				d.Formula, s.Title}, append(d.Caveats, d.Values...)...), " "))
			return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(said, w) })
		})
		if len(s.Definitions) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Definitions returns the definitions of the anchors, in their order and by chapter.
func Definitions(anchors []string, more ...Section) []Section {
	var out []Section
	all := Reference(more...)
	for _, anchor := range anchors {
		named := func(d Definition) bool { return d.Anchor == anchor }
		at := slices.IndexFunc(all, func(s Section) bool { return slices.ContainsFunc(s.Definitions, named) })
		if at < 0 {
			continue
		}
		chapter := all[at]
		d := chapter.Definitions[slices.IndexFunc(chapter.Definitions, named)]
		i := slices.IndexFunc(out, func(s Section) bool { return s.Name == chapter.Name })
		if i < 0 {
			chapter.Definitions = nil
			i, out = len(out), append(out, chapter)
		}
		if !slices.ContainsFunc(out[i].Definitions, named) {
			out[i].Definitions = append(out[i].Definitions, d)
		}
	}
	return out
}
