package mig

import (
	"strconv"
	"strings"
)

// LayoutWords is a layout, its profiles with spaces between, as counts: "3g.20gb + 4 × 1g.5gb".
func LayoutWords(profiles string) string {
	var parts []string
	words := strings.Fields(profiles)
	for len(words) > 0 {
		n := 1
		for n < len(words) && words[n] == words[0] {
			n++
		}
		part := words[0]
		if n > 1 {
			part = strconv.Itoa(n) + " × " + part
		}
		parts, words = append(parts, part), words[n:]
	}
	return strings.Join(parts, " + ")
}
