package access_test

import (
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

func attempt(client, key string, digest byte, after time.Duration) access.Attempt {
	return access.Attempt{Client: client, Key: key, Digest: [32]byte{digest}, At: noon.Add(after)}
}

func mustClaim(t *testing.T, s *store.Store, a access.Attempt, want access.Claim) access.KeptAnswer {
	t.Helper()
	claim, answer, err := s.Access.Claim(t.Context(), a)
	if err != nil || claim != want {
		t.Errorf("%s of %s after %s: claim %d, %v; want %d", a.Key, a.Client, a.At.Sub(noon), claim, err, want)
	}
	return answer
}

func TestAnswersAreKeptForADay(t *testing.T) {
	s := storetest.New(t)
	first := attempt("ada", "k", 1, 0)
	mustClaim(t, s, first, access.Claimed)
	mustClaim(t, s, attempt("ada", "k", 1, time.Second), access.Running)
	mustClaim(t, s, attempt("ada", "k", 2, time.Second), access.Misused)
	mustClaim(t, s, attempt("bob", "k", 2, time.Second), access.Claimed)
	answer := access.KeptAnswer{Status: 201, Type: "application/json", Location: "/x", Body: []byte("{}")}
	if err := s.Access.Keep(t.Context(), first, answer); err != nil {
		t.Fatal(err)
	}
	got := mustClaim(t, s, attempt("ada", "k", 1, time.Hour), access.Answered)
	if got.Status != 201 || got.Type != answer.Type || got.Location != answer.Location || string(got.Body) != "{}" {
		t.Errorf("the answer is %+v", got)
	}
	mustClaim(t, s, attempt("ada", "k", 2, time.Hour), access.Misused)
	mustClaim(t, s, attempt("ada", "k", 2, access.KeptFor+time.Second), access.Claimed)
}

// A process that dies leaves a key without an answer. The next attempt after a while takes it over, and the first one
// can no longer store its answer.
func TestAKeyOfADeadProcessIsFreeAgain(t *testing.T) {
	s := storetest.New(t)
	dead, next := attempt("ada", "k", 1, 0), attempt("ada", "k", 1, access.GivenUpAfter+time.Second)
	mustClaim(t, s, dead, access.Claimed)
	mustClaim(t, s, attempt("ada", "k", 2, access.GivenUpAfter+time.Second), access.Misused)
	mustClaim(t, s, next, access.Claimed)
	if err := s.Access.Keep(t.Context(), dead, access.KeptAnswer{Status: 200}); err != nil {
		t.Fatal(err)
	}
	if err := s.Access.Release(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
	mustClaim(t, s, attempt("ada", "k", 1, access.GivenUpAfter+2*time.Second), access.Running)
	if err := s.Access.Release(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	mustClaim(t, s, attempt("ada", "k", 2, access.GivenUpAfter+3*time.Second), access.Claimed)
}
