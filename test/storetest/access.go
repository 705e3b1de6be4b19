package storetest

import (
	"context"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
)

// InPart is the context of a team lead with a scope by conditions, over the current owners.
func InPart(t testing.TB, s *store.Store, conditions ...string) context.Context {
	t.Helper()
	at := time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)
	_, token, err := s.Access.CreateToken(t.Context(),
		access.Grant{Name: "lead", Role: access.RoleTeamLead, Conditions: conditions, By: "root", At: at}, 0)
	if err != nil {
		t.Fatal(err)
	}
	viewer, err := s.Access.Token(t.Context(), token, at)
	if err != nil {
		t.Fatal(err)
	}
	return access.As(t.Context(), viewer)
}
