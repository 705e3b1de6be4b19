package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gpuledger/internal/ledger"
)

// Payable is the word for the account of unpaid invoices in journal_accounts; the other words are causes.
const Payable = "payable"

// longestAccount is the most characters that the name of an account may have.
const longestAccount = 100

// standardAccounts name the accounts of journal entries for which a document gives no other name.
var standardAccounts = map[string]string{
	string(ledger.Used): "GPU compute", string(ledger.Overhead): "GPU compute", string(ledger.HeldIdle): "GPU compute",
	string(ledger.Lost): "GPU compute", string(ledger.Host): "GPU compute",
	string(ledger.Free): "Unused GPU capacity", string(ledger.Stranded): "Unused GPU capacity",
	string(ledger.Unavailable): "Unused GPU capacity", string(ledger.Unobserved): "Unobserved GPU capacity",
	string(ledger.CommitmentUnused): "Cloud commitments", string(ledger.CommitmentFee): "Cloud commitments",
	string(ledger.Shared): "Shared cloud services", string(ledger.Metered): "Metered AI services",
	string(ledger.NonGPU): "Other cloud cost", Payable: "Cloud invoices payable",
}

// JournalAccounts are the names of accounts that a document gives, by cause or Payable.
type JournalAccounts map[string]string

// Of is the account of a cause, or of Payable.
func (a JournalAccounts) Of(word string) string { return cmp.Or(a[word], standardAccounts[word]) }

// journalAccounts checks the names of accounts.
func journalAccounts(given map[string]string) (JournalAccounts, error) {
	for _, word := range slices.Sorted(maps.Keys(given)) {
		name := given[word]
		switch {
		case standardAccounts[word] == "":
			return nil, fmt.Errorf("journal_accounts: %q is neither a cause nor payable: write one of %s", word,
				strings.Join(slices.Sorted(maps.Keys(standardAccounts)), ", "))
		case name == "" || utf8.RuneCountInString(name) > longestAccount || strings.ContainsFunc(name, unicode.IsControl):
			return nil, fmt.Errorf("journal_accounts: the account of %s is %q: write 1 to %d characters on one line", word,
				name, longestAccount)
		}
	}
	a := JournalAccounts(given)
	for word := range standardAccounts {
		if word != Payable && a.Of(word) == a.Of(Payable) {
			return nil, fmt.Errorf("journal_accounts: %q is the account of unpaid invoices and of %s: an entry needs two "+
				"different accounts", a.Of(word), word)
		}
	}
	return a, nil
}

// showAccounts lists the given names in the order of their words.
func showAccounts(a JournalAccounts) string {
	if len(a) == 0 {
		return "standard"
	}
	list := make([]string, 0, len(a))
	for _, word := range slices.Sorted(maps.Keys(a)) {
		list = append(list, word+": "+a[word])
	}
	return strings.Join(list, ", ")
}
