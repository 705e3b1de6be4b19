package closing

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gpuledger/internal/period"
)

// Viewers don't wait: the first look starts a proof, further looks report that it runs, and its result holds until
// the books change.
func TestProofsRunInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version, asked := "1", []period.Month{}
		failing, broken := []string{"capacity"}, error(nil)
		release := make(chan bool)
		p := &Proofs{Lifetime: t.Context(), Now: time.Now,
			Version: func(context.Context) (string, error) { return version, nil },
			Verify: func(_ context.Context, m period.Month) ([]string, error) {
				asked = append(asked, m)
				<-release
				return failing, broken
			}}
		look := func(m period.Month) Proof {
			t.Helper()
			got, err := p.Of(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		end := func() { release <- true; synctest.Wait() }

		if got := look("2026-10"); !got.Running || got.Period != "2026-10" {
			t.Errorf("first look: %+v", got)
		}
		if got := look("2026-11"); !got.Running || got.Period != "2026-10" {
			t.Errorf("a look at another period beside it: %+v", got)
		}
		end()
		if got := look("2026-10"); got.Running || !slices.Equal(got.Failing, failing) || got.At.IsZero() {
			t.Errorf("after its end: %+v", got)
		}
		version, failing = "2", nil
		if got := look("2026-10"); !got.Running {
			t.Errorf("the books have changed: %+v", got)
		}
		broken = errors.New("no connection")
		end()
		if got := look("2026-10"); got.Err == nil {
			t.Errorf("a proof that failed is said: %+v", got)
		}
		broken = nil
		if got := look("2026-10"); !got.Running {
			t.Errorf("and tried again: %+v", got)
		}
		end()
		if got := look("2026-10"); got.Running || got.Err != nil || len(got.Failing) > 0 {
			t.Errorf("at last: %+v", got)
		}
		if want := []period.Month{"2026-10", "2026-10", "2026-10"}; !slices.Equal(asked, want) {
			t.Errorf("asked for %v", asked)
		}
	})
}
