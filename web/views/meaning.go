package views

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

// Every figure on a page names its definition: heads, facts, tiles and charts have its
// anchor and link to /docs/metrics.

// Heads parses the heads of a table, each written as "Text: anchor classes (title)": the
// name, its definition, the widths at which it is shown, and a hover text that replaces
// the definition. All but the text may be left out. A leading #
// marks numbers, % marks rates, which do not add up. Heads are package
// variables: an unknown anchor panics at program start.
func Heads(written ...string) []SortLink {
	heads := make([]SortLink, len(written))
	for i, w := range written {
		heads[i] = parseHead(w)
	}
	return heads
}

func parseHead(written string) SortLink {
	text, rest, _ := strings.Cut(written, ": ")
	name := strings.TrimLeft(text, "#%")
	h := SortLink{Text: name, Number: name != text, Rate: text[0] == '%'}
	rest, h.Title, _ = strings.Cut(strings.TrimSuffix(rest, ")"), "(")
	first, classes, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if strings.Contains(first, ".") {
		h.Define, h.Class = first, classes
		if _, ok := metrics.Define(first); !ok {
			panic("head " + written + ": no figure is called " + first)
		}
	} else {
		h.Class = strings.TrimSpace(rest)
	}
	return h
}

// CauseHead is the head of a column with the cost of a cause.
func CauseHead(info ledger.CauseInfo) SortLink {
	return SortLink{Text: info.Label, Number: true, Define: metrics.ChapterCauses + "." + string(info.Cause)}
}

// KeyHead is the head, under a name, of a column with values of a group key.
func KeyHead(name, key string) SortLink {
	h := SortLink{Text: name, Define: metrics.ChapterKeys + "." + key}
	if _, ok := metrics.Define(h.Define); !ok { // a tag or label has no definition
		h.Define = ""
	}
	return h
}

// tip is the hover text of a defined name.
func tip(anchor string) string {
	d, _ := metrics.Define(anchor)
	return pageWords.Replace(d.Tip())
}

// pageWords are the words of pages for those of datasets: a page names its cost basis once,
// above its figures, and shows NULL as n/a.
var pageWords = strings.NewReplacer("NULL", format.NA, "Basis cost", "Cost", "basis cost", "cost")

func reference(anchor string) string { return metrics.ReferencePath + "#" + anchor }

// meanings is the address that explains all heads of a table at once.
func (t Table) meanings() string {
	var list []string
	for _, h := range t.Heads {
		if h.Define != "" {
			list = append(list, h.Define)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return metrics.ReferencePath + "?of=" + strings.Join(list, ",")
}

// sorts reports whether heads are sort links, so that they cannot link
// to their definitions.
func (t Table) sorts() bool {
	for _, h := range t.Heads {
		if h.Href != "" {
			return true
		}
	}
	return false
}

// title is the hover text of a head: its own title, else its
// definition.
func (l SortLink) title() string {
	if l.Title != "" || l.Define == "" {
		return l.Title
	}
	return tip(l.Define)
}
