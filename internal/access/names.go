package access

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/secure/precis"
)

// NormalName is a name as it is stored that somebody signs in with: in lower case, of
// compatible characters the plain ones (NFKC), without spaces at its ends or doubled. A
// name with characters that do not show, or of scripts that are not written together, is
// refused.
func NormalName(text string) (string, error) {
	name, err := precis.Nickname.CompareKey(text)
	return soundName(text, name, err)
}

// NormalLabel is NormalName of what nobody signs in with, such as a token: its case stays.
func NormalLabel(text string) (string, error) {
	name, err := precis.Nickname.String(text)
	return soundName(text, name, err)
}

func soundName(text, name string, err error) (string, error) {
	if err != nil {
		return "", fmt.Errorf("the name %q is empty or has invisible characters", text)
	}
	if strings.ContainsFunc(name, unseen) || stacked(name) {
		return "", fmt.Errorf("the name %q has invisible characters, or marks that do not belong to a letter", text)
	}
	if mixed := scriptsOf(name); !together(mixed) {
		return "", fmt.Errorf("the name %q mixes letters of %s, which can look the same: write it in one script", text,
			strings.Join(mixed, " and "))
	}
	return name, nil
}

// unseen reports symbols that are no text, such as a blank of Braille or a placeholder.
func unseen(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unicode.So, unicode.Sk, unicode.Me)
}

// stacked reports whether a mark stands on nothing, or on a letter of a script that has a
// letter for each of its marks.
func stacked(name string) bool {
	plain := true // what comes before takes no mark
	for _, r := range name {
		mark := unicode.In(r, unicode.Mn)
		if mark && plain {
			return true
		}
		if !mark {
			plain = !unicode.IsLetter(r) || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
		}
	}
	return false
}

// Folded is NormalName where a text has one, else the text: for looking names up.
func Folded(text string) string {
	if name, err := precis.Nickname.CompareKey(text); err == nil {
		return name
	}
	return text
}

// scriptsOf are the scripts of a name's letters, in order.
func scriptsOf(name string) (list []string) {
	for _, r := range name {
		if !unicode.IsLetter(r) || unicode.In(r, unicode.Common, unicode.Inherited) {
			continue
		}
		for script, table := range unicode.Scripts {
			if unicode.Is(table, r) && !slices.Contains(list, script) {
				list = append(list, script)
			}
		}
	}
	slices.Sort(list)
	return list
}

// written are the scripts that are written together, besides one alone (UTS 39, highly
// restrictive).
var written = [][]string{
	{"Han", "Hiragana", "Katakana", "Latin"}, {"Bopomofo", "Han", "Latin"}, {"Han", "Hangul", "Latin"},
}

func together(scripts []string) bool {
	return len(scripts) < 2 || slices.ContainsFunc(written, func(known []string) bool {
		return !slices.ContainsFunc(scripts, func(s string) bool { return !slices.Contains(known, s) })
	})
}

// Alike reports whether people take two names for one: they differ in case, width or
// spaces, or in letters of other scripts that look the same.
func Alike(a, b string) bool { return likeness(a) == likeness(b) }

// likeness is the same of names that are alike.
func likeness(name string) string {
	return lookalikes.Replace(strings.ReplaceAll(Folded(name), " ", ""))
}

// lookalikes are small letters that are drawn like Latin ones. Names of several scripts
// are refused, so these tell apart names that are wholly of another.
var lookalikes = strings.NewReplacer(
	// Cyrillic
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "ё", "e", "һ", "h",
	"і", "i", "ї", "i", "ј", "j", "к", "k", "ӏ", "l", "м", "m", "н", "h",
	"о", "o", "р", "p", "ԛ", "q", "г", "r", "ѕ", "s", "т", "t", "ц", "u", "ѵ", "v", "ԝ", "w", "х", "x", "у", "y",
	// Greek
	"α", "a", "β", "b", "ε", "e", "η", "n", "ι", "i", "κ", "k", "ν", "v",
	"ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "γ", "y", "ϲ", "c",
	// Armenian
	"ո", "n", "օ", "o", "ս", "u", "հ", "h", "յ", "j", "ց", "g", "ք", "p",
	// Latin
	"ı", "i", "ɑ", "a", "ɡ", "g",
)
