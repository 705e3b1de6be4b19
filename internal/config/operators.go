package config

import (
	"slices"
	"strings"

	"gpuledger/internal/nearest"
)

// Operator may change the books over HTTP with a token. The command line
// needs no operator: anyone who can connect to the database may do everything.
type Operator struct {
	Name     string   `yaml:"name"`
	TokenEnv string   `yaml:"token_env"` // environment variable with the token
	May      []string `yaml:"may"`       // rights

	line int
}

// OperatorRights are the rights that an operator may have: to store policies, to
// close periods, to reopen them, to decide on recommendations, to write budgets and annotations, to send facts.
var OperatorRights = []string{"policy", "close", "reopen", "advise", "plan", "write"}

func (o *Operator) check(fault fault) {
	if !nameForm.MatchString(o.Name) {
		fault("name must consist of lower-case letters, digits and hyphens")
	}
	if o.TokenEnv == "" {
		fault("token_env is missing: name the environment variable that holds the token")
	}
	checkEnv("token_env", o.TokenEnv, fault)
	if len(o.May) == 0 {
		fault("may is missing: name some of %s", strings.Join(OperatorRights, ", "))
	}
	for _, right := range o.May {
		if !slices.Contains(OperatorRights, right) {
			fault("unknown right %q%s; known rights are %s", right, nearest.Suggest(right, OperatorRights),
				strings.Join(OperatorRights, ", "))
		}
	}
}
