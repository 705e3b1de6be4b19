package figures

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/waste"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Words of rows, as people read them.

// wasteWords returns the labels of kinds of waste, and a replacer that names kinds in
// evidence, "2 × forgotten_notebook", as the page of waste does.
var wasteWords = sync.OnceValues(func() (map[string]string, *strings.Replacer) {
	labels, pairs := map[string]string{}, []string{}
	for _, d := range waste.Definitions {
		labels[string(d.Kind)] = d.Label
	}
	kinds := slices.Sorted(maps.Keys(labels))
	slices.Reverse(kinds) // a kind before its prefix
	for _, kind := range kinds {
		pairs = append(pairs, "× "+kind, "× “"+labels[kind]+"”")
	}
	return labels, strings.NewReplacer(pairs...)
})

// Word prints a name or a word of a list.
func Word(name string, v metrics.Value) string {
	switch {
	case !v.Valid && name == "profile":
		return "rest of the cards"
	case !v.Valid:
		return format.NA
	case name == "team" || name == "unused_owners":
		return page.TeamName(v.Text)
	case name == "pricing" || name == "price_class":
		return page.PriceClassName(v.Text)
	case name == "provider":
		return page.ProviderName(v.Text)
	case name == "billing_period":
		return page.MonthName(v.Text)
	case name == "cause":
		return page.CauseLabel(ledger.Cause(v.Text))
	case name == "kind" || name == "workload_class" || strings.HasSuffix(name, "_kind"):
		labels, _ := wasteWords()
		if label, ok := labels[v.Text]; ok {
			return label
		}
		return strings.ReplaceAll(v.Text, "_", " ")
	case name == "key" || name == "demand" || name == "instrument" || name == "price_source":
		return strings.ReplaceAll(v.Text, "_", " ")
	case name == "detail":
		return page.AuditDetail(v.Text)
	case name == "evidence":
		_, words := wasteWords()
		return words.Replace(v.Text)
	case name == "profiles" || strings.HasSuffix(name, "_profiles"):
		return mig.LayoutWords(v.Text)
	}
	return v.Text
}

// cardID is how many characters of a card's id distinguish it.
const cardID = 16

// deviceCell shows the beginning of a card's id, with all of it in the tooltip. A card
// without an id is named by its machine.
func deviceCell(p *page.Context, id string) views.Cell {
	if len(id) > cardID && (strings.HasPrefix(id, "GPU-") || strings.HasPrefix(id, "MIG-")) {
		cell := views.Cell{Figure: views.Figure{Text: id[:cardID-4] + "…", Title: id}, Mono: true}
		if strings.HasPrefix(id, "GPU-") {
			cell.Href = p.Scope.Carried("/fleet/devices/" + url.PathEscape(id))
		}
		return cell
	}
	return views.Cell{Figure: views.Figure{Text: id}, Name: true}
}

// deviceColumns hold ids of cards.
var deviceColumns = []string{"device", "device_uuid"}

// weekdays in the order of hours of the week.
var weekdays = []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

// weekHour prints an hour of the week: "Sun 23:00".
func weekHour(hour int64) string {
	if hour < 0 || hour >= 7*24 {
		return strconv.FormatInt(hour, 10)
	}
	text := strconv.FormatInt(hour%24, 10) + ":00"
	if hour%24 < 10 {
		text = "0" + text
	}
	return weekdays[hour/24] + " " + text
}

// Unpriced is the sentence of a page whose hours have no price.
func Unpriced(what string) (sentence, sub string) {
	return "The cost of " + what + " is not known.", "Their hours have no price: import a bill or a price book."
}

// timed prints a time as a day if its column holds days.
func timed(c Column, at period.Second) (string, bool) {
	if slices.Contains([]string{"day", "first_day", "last_day", "period_start"}, c.Name) && at == at.Floor(period.Day) {
		return format.Day(at), true
	}
	return "", false
}
