package folder

import (
	"fmt"
	"strings"
	"testing"
)

const hall = `# machines in hall 7
kind: price_book
name: hall
currency: EUR
owned:
  - name: dgx
    nodes: [n1, n2]
    gpus: 8
    in_service: 2026-10-01
    through: 2026-11
    purchase_price: "36000"
    depreciation: straight_line
    life_months: 60
    tags: {team: speech, floor: "7"}
rates:
  - {instance_type: p5.48xlarge, price_class: on_demand, currency: USD, hourly: "98.32"}
`

// A book with machines is stored once, whatever its style; other content is an update with the fields that differ; an
// export has the book as written, and its rates in no other file.
func TestABookWithMachinesIsAppliedOnce(t *testing.T) {
	s := &State{}
	files := map[string]string{"hall.yaml": hall, "prices.yaml": good["prices.yaml"]}
	if got := applied(t, s, files); got != "create price_book hall; create price_book prices " && got !=
		"create price_book hall " {
		t.Errorf("first: %q", got)
	}
	for _, style := range []string{
		hall, strings.Replace(hall, "nodes: [n1, n2]", "nodes:\n      - n1\n      - 'n2'", 1),
		strings.Replace(hall, "# machines", "# our machines", 1),
	} {
		if got := applied(t, s, map[string]string{"other.yaml": style}); got != "" {
			t.Errorf("again: %q\n%s", got, style)
		}
	}
	dearer := strings.NewReplacer("36000", "48000", "[n1, n2]", "[n1, n2, n3]", "speech", "audio").Replace(hall)
	plan, faults := Compare(s, read(t, map[string]string{"hall.yaml": dearer}))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	change := plan.Of(KindPriceBook, "hall", "")
	if change.Action != Update || fmt.Sprint(change.Fields) != "[{owned.dgx.nodes.3  n3} {owned.dgx.purchase_price 36000 "+
		"48000} {owned.dgx.tags.team speech audio}]" {
		t.Errorf("%+v", change)
	}
	if keys := strings.Join(plan.Keys(s), " "); keys != "team" || !plan.Recomputes() || plan.Moves() || len(plan.Rates) != 0 {
		t.Errorf("keys %s, %+v", keys, plan)
	}
	s.stores(plan)
	exported, err := Export(s)
	if err != nil || exported["price_book-hall.yaml"] != dearer || len(exported) != 1 {
		t.Errorf("%v %v", err, exported)
	}
	if got := applied(t, s, exported); got != "" {
		t.Errorf("the export differs: %q", got)
	}
	fresh := &State{}
	applied(t, fresh, exported)
	if again, err := Export(fresh); err != nil || fmt.Sprint(again) != fmt.Sprint(exported) {
		t.Errorf("the export of an export differs: %v\n%v", err, again)
	}
}

// An issue that is not newer than the stored one is a fault at its issued_at, unless it says the same.
func TestAnOlderIssueIsAFault(t *testing.T) {
	issue := func(day, price string) map[string]string {
		return map[string]string{"a.yaml": "kind: view\nname: v\nurl: /\n---\n" +
			strings.NewReplacer("currency: EUR\n", "currency: EUR\nissued_at: "+day+"\n", "36000", price).Replace(hall)}
	}
	s := &State{}
	applied(t, s, issue("2026-11-02", "36000"))
	for day, wrong := range map[string]bool{"2026-11-01": true, "2026-11-02": true, "2026-11-03": false} {
		_, faults := Compare(s, read(t, issue(day, "48000")))
		if wrong != (len(faults) == 1) || wrong && !strings.HasPrefix(faults[0].Error(),
			"a.yaml:9: issued_at: an issue of price book hall that is as new or newer is stored") {
			t.Errorf("%s: %v", day, faults)
		}
	}
	if got := applied(t, s, issue("2026-11-02", "36000")); got != "" {
		t.Errorf("the same again: %q", got)
	}
	// Without issued_at, a book is issued when it is applied.
	if _, faults := Compare(s, read(t, map[string]string{"a.yaml": strings.Replace(hall, "36000", "1", 1)})); len(faults) > 0 {
		t.Error(faults)
	}
}

// A book that was imported before texts were kept is not in an export, which must say so; applying its file stores the
// text.
func TestABookWithoutText(t *testing.T) {
	s := &State{Books: []StoredBook{{Name: "hall"}}}
	if names := s.Untold(); len(names) != 1 || names[0] != "hall" {
		t.Errorf("%v", names)
	}
	if files, err := Export(s); err != nil || len(files) != 0 {
		t.Errorf("%v %v", files, err)
	}
	if got := applied(t, s, map[string]string{"a.yaml": hall}); got != "update price_book hall " {
		t.Errorf("%q", got)
	}
	if len(s.Untold()) != 0 {
		t.Error("its text is not kept")
	}
}
