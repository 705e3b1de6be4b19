package access

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/secure/precis"
)

// NormalName is the stored form of a sign-in name: in lower case, with compatible characters
// replaced by plain ones (NFKC), without leading, trailing or double spaces. A
// name with invisible characters, or with scripts that are not written together, is
// refused.
func NormalName(text string) (string, error) {
	name, err := precis.Nickname.CompareKey(text)
	return soundName(text, name, err)
}

// NormalLabel is NormalName for names that are not used to sign in, such as those of tokens: case is kept.
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

// unseen reports symbols that are not text, such as the Braille blank or a placeholder.
func unseen(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unicode.So, unicode.Sk, unicode.Me)
}

// stacked reports whether a combining mark follows no letter, or a letter of a script whose marked letters
// all exist as single characters.
func stacked(name string) bool {
	plain := true // the previous character takes no mark
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

// Folded is the name to look up: folded as in NormalName if possible, else the text as it is.
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

// written are the scripts that are written together (UTS 39, highly
// restrictive). A single script is always allowed.
var written = [][]string{
	{"Han", "Hiragana", "Katakana", "Latin"}, {"Bopomofo", "Han", "Latin"}, {"Han", "Hangul", "Latin"},
}

func together(scripts []string) bool {
	return len(scripts) < 2 || slices.ContainsFunc(written, func(known []string) bool {
		return !slices.ContainsFunc(scripts, func(s string) bool { return !slices.Contains(known, s) })
	})
}

// Alike reports whether two names can be mistaken for each other: they differ only in case, width or
// spaces, or in letters of other scripts that look the same.
func Alike(a, b string) bool { return likeness(a) == likeness(b) }

// likeness is equal for names that are alike.
func likeness(name string) string {
	return lookalikes.Replace(strings.ReplaceAll(Folded(name), " ", ""))
}

// lookalikes maps small letters to the Latin letters that they look like. Names of mixed scripts
// are refused, so this is for names that are entirely in another script.
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
