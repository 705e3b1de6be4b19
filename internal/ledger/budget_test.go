package ledger

import (
	"strings"
	"testing"
)

func TestParentsOfBudgets(t *testing.T) {
	current := map[string]Budget{
		"all": {Name: "all", Unit: BudgetMoney, Currency: "USD"}, "hours": {Name: "hours", Unit: BudgetGPUHours},
		"a": {Name: "a", Unit: BudgetMoney, Currency: "USD", Parent: "all"},
	}
	usd := func(name, parent string) Budget {
		return Budget{Name: name, Unit: BudgetMoney, Currency: "USD", Parent: parent, File: "b.csv", Line: 7}
	}
	for _, c := range []struct {
		joining []Budget
		want    string
	}{
		{[]Budget{usd("b", "a"), usd("c", "b")}, ""},
		{[]Budget{usd("b", "nobody")}, `there is no budget "nobody"`},
		{[]Budget{usd("b", "hours")}, `"hours" is in gpu_hours, "b" in USD`},
		{[]Budget{usd("all", "a")}, `"all" is a part of "all"`},
		{[]Budget{usd("b", "c"), usd("c", "b")}, `"b" is a part of "b"`},
		{[]Budget{{Name: "all", Unit: BudgetMoney, Currency: "EUR"}, usd("a", "all")}, `"all" is in EUR, "a" in USD`},
	} {
		err := CheckParents(current, c.joining)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v: %v, want %q", c.joining, err, c.want)
		case err != nil && (!strings.Contains(err.Error(), "b.csv line 7") || !strings.Contains(err.Error(), "parent")):
			t.Errorf("%v has no place", err)
		}
	}
}
