package views

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseHeads(t *testing.T) {
	got := fmt.Sprintf("%+v", Heads("Kept", "Cause: key.cause", "#Cost: costs.effective_cost wide-only nowrap",
		"%Share: figure.share (of all)", "Why: wide-only"))
	for _, want := range []string{
		"{Text:Kept Href: Sort: Number:false Rate:false Class: Title: Define:}",
		"{Text:Cause Href: Sort: Number:false Rate:false Class: Title: Define:key.cause}",
		"{Text:Cost Href: Sort: Number:true Rate:false Class:wide-only nowrap Title: Define:costs.effective_cost}",
		"{Text:Share Href: Sort: Number:true Rate:true Class: Title:of all Define:figure.share}",
		"{Text:Why Href: Sort: Number:false Rate:false Class:wide-only Title: Define:}",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "costs.efective_cost") {
			t.Errorf("a misspelt column says %q", said)
		}
	}()
	Heads("#Cost: costs.efective_cost")
}
