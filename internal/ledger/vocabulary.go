package ledger

import "strings"

// Kinds are the kinds of runs (rule 6.4).
var Kinds = []string{"training", "fine_tuning", "evaluation", "inference", "batch"}

// vocabularies are the dimensions with one spelling per value (rule 9.4), keyed by the word in lower case without
// separators.
var vocabularies = map[string]map[string]string{
	"kind":        spellings(Kinds...),
	"stage":       spellings(append([]string{"serving"}, Kinds...)...),
	"environment": spellings("prod", "dev", "staging", "test", "production=prod", "development=dev"),
}

// spellings maps words, and synonyms written as synonym=word.
func spellings(words ...string) map[string]string {
	out := make(map[string]string, len(words))
	for _, w := range words {
		other, word, ok := strings.Cut(w, "=")
		if !ok {
			word = w
		}
		out[foldWord(other)] = word
	}
	return out
}

var wordSeparators = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

func foldWord(text string) string { return wordSeparators.Replace(strings.ToLower(text)) }

// Spell is the standard spelling of a value of a dimension with a closed vocabulary: fine-tuning and FineTuning are
// fine_tuning, production is prod. Other words, and values of other dimensions, are unchanged: only the policy can
// declare two of them equal.
func Spell(dimension, value string) string {
	if words := vocabularies[dimension]; words != nil {
		if word, ok := words[foldWord(value)]; ok {
			return word
		}
	}
	return value
}

// Alike is equal for values that may be spellings of one: case and separators do not count. It never merges them.
func Alike(value string) string { return foldWord(value) }
