package policy_test

import (
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

func TestEveryCauseHasAnAccount(t *testing.T) {
	v, err := policy.Parse([]byte("version: v1\njournal_accounts: {payable: \"2100 Payables\", used: \"6410\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ledger.Causes {
		name := v.JournalAccounts.Of(string(c.Cause))
		if name == "" || name == v.JournalAccounts.Of(policy.Payable) {
			t.Errorf("the account of %s is %q", c.Cause, name)
		}
	}
	if used, owed := v.JournalAccounts.Of("used"), v.JournalAccounts.Of(policy.Payable); used != "6410" ||
		owed != "2100 Payables" {
		t.Errorf("used: %s, payable: %s", used, owed)
	}
	if lost := policy.Standard().JournalAccounts.Of("lost"); lost != "GPU compute" {
		t.Errorf("the standard account of lost is %q", lost)
	}
}

func TestWrongAccountsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{idle: x}":               "neither a cause nor payable",
		"{used: \"\"}":            "1 to 100 characters",
		"{used: \"a\\nb\"}":       "on one line",
		"{used: same}":            "",
		"{used: a, payable: a}":   "two different accounts",
		"{payable: GPU compute}":  "two different accounts",
		"{used: " + long + "}":    "1 to 100 characters",
		"{used: a, held_idle: a}": "",
	} {
		_, err := policy.Parse([]byte("version: v1\njournal_accounts: " + text + "\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

var long = strings.Repeat("x", 101)

func TestDifferencesNameAccounts(t *testing.T) {
	list, err := policy.Differences(nil, []byte("version: v1\njournal_accounts: {used: \"6410\"}\n"))
	if err != nil || len(list) != 1 || list[0] != (policy.Difference{"journal_accounts", "standard", "used: 6410"}) {
		t.Errorf("%v %v", list, err)
	}
}
