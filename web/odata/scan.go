package odata

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenString
	tokenSymbol
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// mostTokens bounds expressions, far beyond what clients send.
const mostTokens = 5000

// scan cuts an expression into words, texts in single quotes, and parentheses, commas and slashes. The last token is
// the end. Words contain no slash, since paths and the steps of $apply do.
func scan(text string) ([]token, error) {
	var list []token
	for at := 0; at < len(text); {
		if len(list) == mostTokens {
			return nil, fmt.Errorf("has more than %d words", mostTokens)
		}
		switch c := text[at]; {
		case c == ' ' || c == '\t':
			at++
		case strings.IndexByte("(),/", c) >= 0:
			list = append(list, token{tokenSymbol, text[at : at+1], at})
			at++
		case c == '\'':
			value, end, ok := quoted(text, at)
			if !ok {
				return nil, fmt.Errorf("at character %d: the text that begins here does not end", at+1)
			}
			list = append(list, token{tokenString, value, at})
			at = end
		case wordByte(c):
			end := at
			for end < len(text) && wordByte(text[end]) {
				end++
			}
			list = append(list, token{tokenWord, text[at:end], at})
			at = end
		default:
			r, _ := utf8.DecodeRuneInString(text[at:])
			return nil, fmt.Errorf("at character %d: %q is not part of an expression", at+1, r)
		}
	}
	return append(list, token{tokenEnd, "", len(text)}), nil
}

// quoted reads a text in single quotes; a quote inside is written twice.
func quoted(text string, at int) (value string, end int, ok bool) {
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] != '\'':
			b.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == '\'':
			b.WriteByte('\'')
			i++
		default:
			return b.String(), i + 1, true
		}
	}
	return "", 0, false
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.:+-$", c) >= 0
}
