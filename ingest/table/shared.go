package table

// sharedWords are the words of small dictionaries of one column: each row group
// has a dictionary of its own, but mostly of the same words, and what they mean
// is found out once.
type sharedWords struct {
	known  *wordTable
	facets *facets
}

// maxShared is how many words a dictionary has at most that is shared.
const maxShared = 1 << 12

func newSharedWords(w *Want) *sharedWords {
	return &sharedWords{
		known: newWordTable(), facets: &facets{values: values{stored: storedText}, want: w, lasting: &words{}},
	}
}

// numbers returns the shared numbers of words, and what they mean.
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
