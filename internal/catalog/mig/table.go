package mig

import (
	"slices"
	"strconv"
	"strings"
)

// Card is the geometry of a model: how many compute and memory slices it has
// and which profiles it offers.
type Card struct {
	Compute int // C
	Memory  int // M
	offers  []offer
}

// offer is one profile class of a card with the rounded memory labels under
// which it is sold.
type offer struct {
	compute, memory int
	gigabytes       []int
}

// Shape is the slices that one GPU instance takes of its card.
type Shape struct {
	Compute int  // compute slices of Card.Compute
	Memory  int  // memory slices of Card.Memory
	Derived bool // not in the table: taken from the name (rule 3.4)
}

// sevenths is the geometry of A100 and all later data-centre cards.
func sevenths(one, double, two, three, four, seven []int) Card {
	return Card{7, 8, []offer{{1, 1, one}, {1, 2, double}, {2, 2, two}, {3, 4, three}, {4, 4, four}, {7, 8, seven}}}
}

func labels(gb ...int) []int { return gb }

// cards lists the families, most specific name first. Every word must occur
// in the model's name.
var cards = []struct {
	words []string
	card  Card
}{
	{labelsOf("RTX PRO 6000"), Card{4, 4, []offer{{1, 1, labels(24)}, {2, 2, labels(48)}, {4, 4, labels(96)}}}},
	{labelsOf("RTX PRO 5000"), Card{2, 2, []offer{{1, 1, labels(24)}, {2, 2, labels(48)}}}},
	{labelsOf("GB300"), sevenths(labels(35), labels(70), labels(70), labels(139), labels(139), labels(277, 278, 279))},
	{labelsOf("B300"), sevenths(labels(34), labels(67), labels(67), labels(135), labels(135), labels(269))},
	{
		labelsOf("GB200"), sevenths(labels(23, 24), labels(47), labels(47), labels(93, 95), labels(93, 95), labels(186, 189)),
	},
	{labelsOf("B200"), sevenths(labels(23), labels(45), labels(45), labels(90), labels(90), labels(180))},
	{labelsOf("GH200 144"), sevenths(labels(18), labels(35), labels(35), labels(71), labels(71), labels(141))},
	{labelsOf("GH200"), sevenths(labels(12), labels(24), labels(24), labels(48), labels(48), labels(96))},
	{labelsOf("H200"), sevenths(labels(18), labels(35), labels(35), labels(71), labels(71), labels(141))},
	{labelsOf("H100 NVL"), hundred94},
	{labelsOf("H100 94"), hundred94},
	{labelsOf("H100 96"), hundred94},
	{labelsOf("H100"), eighty},
	{labelsOf("H800"), eighty},
	{labelsOf("A100 80"), eighty},
	{labelsOf("A800"), eighty},
	{labelsOf("A100"), sevenths(labels(5), labels(10), labels(10), labels(20), labels(20), labels(40))},
	{labelsOf("A30"), Card{4, 4, []offer{{1, 1, labels(6)}, {2, 2, labels(12)}, {4, 4, labels(24)}}}},
}

var (
	eighty    = sevenths(labels(10), labels(20), labels(20), labels(40), labels(40), labels(80))
	hundred94 = sevenths(labels(12), labels(24), labels(24), labels(47, 48), labels(47, 48), labels(94, 96))
	// generic is for a model that is not in the table.
	generic = sevenths(nil, nil, nil, nil, nil, nil)
)

func labelsOf(words string) []string { return strings.Fields(strings.ToLower(words)) }

// CardOf returns the geometry of a model as an exporter names it ("NVIDIA
// A100-SXM4-40GB"). An unknown model gets 7 compute and 8 memory slices and no
// profile labels, so that all its profiles come out derived.
func CardOf(model string) Card {
	words := strings.FieldsFunc(strings.ToLower(model), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '/'
	})
	for i, w := range words {
		words[i] = strings.TrimSuffix(w, "gb")
	}
	for _, c := range cards {
		if hasAll(words, c.words) {
			return c.card
		}
	}
	return generic
}

func hasAll(words, wanted []string) bool {
	for _, w := range wanted {
		if !slices.Contains(words, w) {
			return false
		}
	}
	return true
}

// ShapeOf returns the slices that a profile such as "1g.5gb", "1c.3g.20gb" or "1g.10gb+me" takes of the card. A profile
// that the card's table does not list is derived: compute from the leading number, memory from the class of that
// number. A name without a leading "Ng" counts as one slice of each.
func (c Card) ShapeOf(profile string) Shape {
	compute, gigabytes := parse(profile)
	for _, o := range c.offers {
		if o.compute != compute {
			continue
		}
		if slices.Contains(o.gigabytes, gigabytes) {
			return Shape{o.compute, o.memory, false}
		}
	}
	s := Shape{Compute: min(max(compute, 1), c.Compute), Derived: true}
	s.Memory = min(s.Compute, c.Memory)
	for _, o := range c.offers {
		if o.compute == s.Compute {
			s.Memory = o.memory // the plain class comes before the double one
			break
		}
	}
	return s
}

// parse reads "[Xc.]Ng.Zgb[attributes]"; 0 stands for a missing number.
func parse(profile string) (compute, gigabytes int) {
	name := strings.ToLower(profile)
	if cut := strings.IndexAny(name, "+-"); cut >= 0 {
		name = name[:cut]
	}
	for field := range strings.SplitSeq(name, ".") {
		if n, ok := number(field, "gb"); ok {
			gigabytes = n
		} else if n, ok := number(field, "g"); ok {
			compute = n
		}
	}
	return compute, gigabytes
}

func number(field, unit string) (int, bool) {
	digits, ok := strings.CutSuffix(field, unit)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0
}

// ProfileOf names the profile with the given memory and compute slices of the card, without attributes; empty if the
// card offers none. On cards whose instances all have equal parts (A30), memory alone decides.
func (c Card) ProfileOf(memory, compute int) string {
	for _, o := range c.offers {
		if o.memory == memory && (o.compute == compute || c.Compute == c.Memory) && len(o.gigabytes) > 0 {
			return strconv.Itoa(o.compute) + "g." + strconv.Itoa(o.gigabytes[0]) + "gb"
		}
	}
	return ""
}

// Profiles lists the profiles that the card offers, one name per class and without attributes, the smallest first; none
// for a model that is not in the table.
func (c Card) Profiles() []string {
	var names []string
	for _, o := range c.offers {
		if len(o.gigabytes) > 0 {
			names = append(names, strconv.Itoa(o.compute)+"g."+strconv.Itoa(o.gigabytes[0])+"gb")
		}
	}
	return names
}
