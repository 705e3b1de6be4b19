package table

import "strings"

// Squash is the common form of a column name's spellings: its letters and digits in lower case,
// without byte order mark, and with a leading underscore, which marks the columns of loaders.
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
