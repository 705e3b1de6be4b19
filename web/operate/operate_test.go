package operate

import (
	"errors"
	"net/http"
	"testing"

	"gpuledger/internal/access"
)

func TestOnlyOperatorsWithTheRightAreAdmitted(t *testing.T) {
	ops := Operators{NewOperator("ada", "s3cret", access.Close, access.Policy), NewOperator("bob", "other", access.Reopen)}
	for _, c := range []struct {
		ops    Operators
		token  string
		right  access.Right
		name   string
		status int
	}{
		{ops, "s3cret", access.Close, "ada", 0},
		{ops, "other", access.Reopen, "bob", 0},
		{ops, "s3cret", access.Reopen, "", http.StatusForbidden},
		{ops, "s3cre", access.Close, "", http.StatusUnauthorized},
		{ops, "", access.Close, "", http.StatusUnauthorized},
		{Operators{NewOperator("eve", "", access.Close)}, "", access.Close, "", http.StatusUnauthorized},
		{nil, "s3cret", access.Close, "", http.StatusForbidden},
	} {
		name, err := c.ops.Admit(c.token, c.right)
		status := 0
		if denied, ok := errors.AsType[*DeniedError](err); ok {
			status = denied.Status
		}
		if name != c.name || status != c.status {
			t.Errorf("%q for %s: %q, %v; want %q, %d", c.token, c.right, name, err, c.name, c.status)
		}
	}
}
