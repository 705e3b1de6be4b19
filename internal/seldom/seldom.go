package seldom

import (
	"sync"
	"time"
)

// mostWords bounds the memory; messages beyond it share one entry.
const mostWords = 1000

// Words remembers when each message was last logged. It is safe for concurrent use.
type Words struct {
	every time.Duration

	mu   sync.Mutex
	said map[string]*word
}

type word struct {
	at     time.Time
	missed int
}

// New returns Words that allow each message once per duration at most.
func New(every time.Duration) *Words {
	return &Words{every: every, said: map[string]*word{}}
}

// Due reports whether a message may be logged again, and how often it was left out since the last time.
func (w *Words) Due(text string, now time.Time) (missed int, due bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.said[text]
	if x == nil && len(w.said) >= mostWords {
		text = ""
		x = w.said[text]
	}
	switch {
	case x == nil:
		w.said[text] = &word{at: now}
		return 0, true
	case now.Sub(x.at) < w.every:
		x.missed++
		return 0, false
	}
	missed = x.missed
	x.at, x.missed = now, 0
	return missed, true
}
