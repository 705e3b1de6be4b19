package ledger

// CurrencyCode reports whether s has the form of an ISO 4217 code.
func CurrencyCode(s string) bool {
	if len(s) != 3 {
		return false
	}
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}
