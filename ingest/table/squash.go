package table

import "strings"

// Squash is what spellings of a column name have in common: its letters and
// digits in lower case, without byte order mark, and a leading underscore,
// which marks the columns of loaders.
func Squash(name string) string {
	name = strings.TrimPrefix(name, "\ufeff")
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_' && i == 0:
			out = append(out, c)
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		}
	}
	return string(out)
}
