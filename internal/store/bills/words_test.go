package bills

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// Words are numbered by content, whatever their addresses. A dictionary that grows too large is cleared without mixing
// up words.
func TestWordsAreNumberedByContent(t *testing.T) {
	for name, text := range map[string]func(string) string{
		"kept":  func(s string) string { return s },
		"fresh": func(s string) string { return strings.Clone(s) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDictionaries()
			const kinds = 300
			base := make([]string, kinds)
			tags := make([]map[string]string, kinds)
			for i := range base {
				base[i] = fmt.Sprint("usage ", i)
				tags[i] = map[string]string{"k": base[i], "other": "v"}
			}
			first := map[int][4]int32{}
			for round := range 3 * trustAfter / kinds {
				for i := range base {
					c := ledger.Charge{
						SourceFile: "f", Account: text(base[i]), BillingPeriod: "2026-10", UsageType: text(base[i]),
						ResourceID: text(base[i]), Tags: tags[i], InstanceHours: i%2 == 0,
					}
					if name == "fresh" {
						c.Tags = map[string]string{text("other"): "v", "k": text(base[i])}
					}
					scope, err := d.scope(&c)
					if err != nil {
						t.Fatal(err)
					}
					got := [4]int32{scope, d.item(&c), d.resource(&c), d.tags.number(c.Tags)}
					if round == 0 {
						first[i] = got
					}
					if got != first[i] {
						t.Fatalf("word %d is %v, was %v", i, got, first[i])
					}
				}
			}
			if lost := d.sameItem.trust.lost; lost != (name == "fresh") || d.tags.trust.lost != lost ||
				d.sameScope.trust.lost != lost {
				t.Errorf("addresses are trusted: %v", !lost)
			}
			if d.items.count != kinds || d.scopes.count != kinds || d.resources.count != kinds || d.tags.count != kinds {
				t.Errorf("%d items, %d scopes, %d resources, %d tag sets of %d", d.items.count, d.scopes.count, d.resources.count,
					d.tags.count, kinds)
			}
		})
	}
	if _, err := newDictionaries().scope(&ledger.Charge{BillingPeriod: "2026-13"}); err == nil {
		t.Error("a billing period that is none passes")
	}
	d := newDictionaries()
	one, other := ledger.Charge{ResourceID: "a"}, ledger.Charge{ResourceID: "a", InstanceID: "a"}
	third, fourth := ledger.Charge{InstanceID: "a"}, ledger.Charge{ResourceID: "a", InstanceID: "b"}
	ids := map[int32]bool{}
	for _, c := range []*ledger.Charge{&one, &other, &third, &fourth} {
		ids[d.resource(c)] = true
	}
	if len(ids) != 4 || ids[0] || d.resource(&ledger.Charge{}) != 0 || d.tags.number(nil) != 0 {
		t.Errorf("resources are %v", ids)
	}
}
