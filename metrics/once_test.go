package metrics

import (
	"context"
	"errors"
	"sync"
	"testing"

	"gpuledger/internal/access"
)

// counting answers each question with one row, and counts them.
type counting struct {
	mu   sync.Mutex
	n    int
	fail bool
}

func (c *counting) Query(context.Context, Query) (Rows, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	if c.fail {
		return nil, errors.New("away")
	}
	return NewSliceRows([]Column{{Name: "n", Kind: Count}}, [][]Value{{{Valid: true, Int: 7}}}), nil
}

// A page asks equal questions once, for each reader; each caller has a copy of the answer, and a failure is no answer for
// others.
func TestEqualQuestionsAreAskedOnce(t *testing.T) {
	from := &counting{}
	ctx := AskOnce(t.Context())
	question := func(filter string) Query {
		q, err := Parse("costs", Options{Filter: filter})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a, err := ReadAnswer(ctx, from, question("team = speech"))
			if err != nil || a.Rows[0][0].Int != 7 {
				t.Errorf("%v, %v", a, err)
				return
			}
			a.Rows[0][0].Int = 0
		})
	}
	all.Wait()
	if from.n != 1 {
		t.Errorf("asked %d times", from.n)
	}
	for n, ask := range []func() error{
		func() error { _, err := ReadAnswer(ctx, from, question("team = vision")); return err },
		func() error {
			other := access.As(ctx, &access.Viewer{Name: "lead", Role: access.RoleTeamLead, Scope: "s"})
			_, err := ReadAnswer(other, from, question("team = speech"))
			return err
		},
		func() error { _, err := ReadAnswer(t.Context(), from, question("team = speech")); return err },
	} {
		if err := ask(); err != nil || from.n != n+2 {
			t.Errorf("question %d: asked %d times, %v", n, from.n, err)
		}
	}
	from.fail = true
	for range 2 {
		if _, err := ReadAnswer(ctx, from, question("team = search")); err == nil {
			t.Error("a failure is an answer")
		}
	}
	if from.n != 6 {
		t.Errorf("a question that failed is not asked again: %d", from.n)
	}
}
