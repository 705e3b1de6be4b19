package explain

import (
	"math/big"
	"strings"

	"gpuledger/metrics"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// Chapters of the reference that do not come from columns: the kinds of findings and of
// recommendations. Their anchors look like "waste.hoarding" and "advice.stop_idle".
const (
	ChapterWaste  = "waste-kinds"
	ChapterAdvice = "advice-kinds"
)

var kindChapters = []metrics.Section{
	{Name: ChapterWaste, Title: "Kinds of waste",
		Doc: "Idle kinds never overlap: the first kind that fits takes the time. Risks overlap with idle kinds, so " +
			"the two costs are never added.", Definitions: wasteKinds(),
		Heads: [3]string{"Kind", "Idle or risk", "Criterion"}},
	{Name: ChapterAdvice, Title: "Kinds of recommendations",
		Doc: "Each kind of advice, with its effort and its risk.", Definitions: adviceKinds(),
		Heads: [3]string{"Kind", "Takes", "Listed in"}},
}

func wasteKinds() []metrics.Definition {
	out := make([]metrics.Definition, len(waste.Definitions))
	for i, d := range waste.Definitions {
		kind := "risk"
		if d.Idle {
			kind = "idle"
		}
		out[i] = metrics.Definition{Anchor: "waste." + string(d.Kind), Name: string(d.Kind), Type: kind, Doc: d.Label + ": " +
			lowered(d.Meaning), Formula: criterion(d), Source: "waste",
			Caveats: []string{"What to do: " + lowered(d.Action)}}
	}
	return out
}

func adviceKinds() []metrics.Definition {
	out := make([]metrics.Definition, len(advice.Kinds))
	for i, k := range advice.Kinds {
		out[i] = metrics.Definition{
			Anchor: "advice." + k.Name, Name: k.Name, Type: "effort " + k.Effort + ", risk " + k.Risk,
			Doc: k.Doc, Source: "recommendations", Caveats: []string{"Caution: " + lowered(k.Danger)},
		}
	}
	return out
}

// lowered starts a sentence in lower case, unless its first word is an abbreviation.
func lowered(sentence string) string {
	if len(sentence) > 1 && strings.ToUpper(sentence[1:2]) == sentence[1:2] && sentence[1] != ' ' {
		return sentence
	}
	return strings.ToLower(sentence[:1]) + sentence[1:]
}

// criterion lists a kind's thresholds: "held at least 4.0 h, memory used at most 1 GiB".
// A kind without thresholds is fully described by its meaning.
func criterion(d waste.Definition) string {
	var parts []string
	for _, t := range d.Thresholds {
		words := []string{waste.Words(t.Name), string(t.Bound), limit(t)}
		if t.Name == t.Unit { // "at least 3 hours"
			words = words[1:]
		}
		parts = append(parts, strings.Join(words, " "))
	}
	return strings.Join(parts, ", ")
}

// limit prints a threshold in a unit that people use.
func limit(t waste.Threshold) string {
	switch t.Unit {
	case "seconds":
		return format.Duration(t.Value)
	case "seconds per hour":
		return format.Duration(t.Value) + " per hour"
	case "ppm":
		return format.WholePercent(big.NewRat(t.Value, 1_000_000), page.One)
	case "bytes":
		return format.Count(t.Value>>30) + " GiB"
	case "bytes per second":
		return format.Count(t.Value/1_000_000_000) + " GB per second"
	}
	return format.Plural(int(t.Value), waste.One(t.Unit), t.Unit)
}
