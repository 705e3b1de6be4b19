package table

// sharedWords are the words of small dictionaries of one column: each row group has its own
// dictionary, but mostly with the same words, which are then interpreted once.
type sharedWords struct {
	known  *wordTable
	facets *facets
}

// maxShared is the largest size of a shared dictionary.
const maxShared = 1 << 12

func newSharedWords(w *Want) *sharedWords {
	return &sharedWords{
		known: newWordTable(), facets: &facets{values: values{stored: storedText}, want: w, lasting: &words{}},
	}
}

// numbers returns the shared numbers of words, and their facets.
func (s *sharedWords) numbers(texts []string) ([]int32, *facets) {
	if len(s.known.texts) > maxSets || s.known.bytes > maxWordBytes {
		*s = *newSharedWords(s.facets.want)
	}
	of := make([]int32, len(texts))
	for i, t := range texts {
		of[i] = s.known.number(t)
	}
	s.facets = s.facets.with(&values{stored: storedText, text: s.known.texts})
	return of, s.facets
}
