package ledger

import "strings"

// Kinds are those of runs (rule 6.4).
var Kinds = []string{"training", "fine_tuning", "evaluation", "inference", "batch"}

// vocabularies are the dimensions whose values are words with one spelling
// (rule 9.4), by what is left of the word in lower case without separators.
var vocabularies = map[string]map[string]string{
	"kind":        spellings(Kinds...),
	"stage":       spellings(append([]string{"serving"}, Kinds...)...),
	"environment": spellings("prod", "dev", "staging", "test", "production=prod", "development=dev"),
}

// spellings are words, and other words for them as other=word.
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

// Spell is the one spelling of a value of a dimension with a closed vocabulary:
// fine-tuning and FineTuning are fine_tuning, production is prod. What is no
// such word, and values of other dimensions, stay as they are: nothing but the
// policy says that two of them mean the same.
func Spell(dimension, value string) string {
	if words := vocabularies[dimension]; words != nil {
		if word, ok := words[foldWord(value)]; ok {
			return word
		}
	}
	return value
}

// Alike is equal for values that may be spellings of one: case and separators
// do not count. It never merges them.
func Alike(value string) string { return foldWord(value) }
