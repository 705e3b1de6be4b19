package views

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// Every figure on a page names its definition: heads, facts, tiles and charts
// link to /docs/metrics. What a head means follows from its table's Of and its
// words; tables of one shape share the words in anywhere.

// define is the anchor of a head's definition, empty where nothing defines it.
func (t Table) define(h SortLink) string {
	if h.Define != "" {
		return h.Define
	}
	if a := words[t.Of][h.Text]; a != "" {
		return a
	}
	if a := meaningOf(h.Text); a != "" {
		return a
	}
	if key := metrics.ChapterKeys + "." + h.Text; known(key) { // reports print keys as they are asked
		return key
	}
	return ""
}

func known(anchor string) bool {
	_, ok := metrics.Define(anchor)
	return ok
}

// meaningOf is the anchor of words that mean the same on every page.
func meaningOf(text string) string {
	if a := anywhere[text]; a != "" {
		return a
	}
	for _, c := range ledger.Causes {
		if c.Label == text {
			return metrics.ChapterCauses + "." + string(c.Cause)
		}
	}
	return ""
}

// define is the anchor of a fact's definition.
func (f Fact) define() string {
	if f.Define != "" {
		return f.Define
	}
	return meaningOf(f.Name)
}

// tip is what hovering over a defined name says.
func tip(anchor string) string {
	d, _ := metrics.Define(anchor)
	return d.Tip()
}

func reference(anchor string) string { return metrics.ReferencePath + "#" + anchor }

// meanings is the address that explains all heads of a table at once.
func (t Table) meanings() string {
	var list []string
	for _, h := range t.Heads {
		if a := t.define(h); a != "" {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return metrics.ReferencePath + "?of=" + strings.Join(list, ",")
}

// sorts reports whether heads are links that sort, so that they cannot be links
// to their meaning.
func (t Table) sorts() bool {
	for _, h := range t.Heads {
		if h.Href != "" {
			return true
		}
	}
	return false
}

// headTitle is what hovering over a head says: its own words before its
// definition.
func headTitle(l SortLink, anchor string) string {
	if l.Title != "" {
		return l.Title
	}
	if anchor == "" {
		return ""
	}
	return tip(anchor)
}
