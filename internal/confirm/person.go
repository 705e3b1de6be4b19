package confirm

import (
	"context"

	"gpuledger/internal/access"
)

// Way says how somebody showed who he is.
type Way string

// Ways.
const (
	Session  Way = "session"  // signed in, here, at a provider or by a proxy
	Token    Way = "token"    // a program
	Operator Way = "operator" // by a token of the configuration, where nobody signs in
	Command  Way = "command"  // on the command line, where a name is only said
)

// Person is who asks for a change or decides on it.
type Person struct {
	Way  Way
	ID   string // of the user or token; empty: it has a name only
	Name string
	// Behind are people who may stand behind a name that is not their own: who made the
	// token, and the token that made it, or whom the machine knows by a command.
	Behind []string
}

type commandKey struct{}

// OnCommandLine is a context of a command, with whom the machine knows its user as.
func OnCommandLine(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, commandKey{}, user)
}

// Who is whoever a context's changes are made by, under the name that they are made.
func Who(ctx context.Context, name string) Person {
	if v := access.From(ctx); v != nil {
		way := Token // what is not known to be a person is none
		if v.Kind == access.BySession || v.Kind == access.ByProxy {
			way = Session
		}
		return Person{Way: way, ID: v.ID, Name: name}
	}
	if user, ok := ctx.Value(commandKey{}).(string); ok {
		return Person{Way: Command, Name: name, Behind: []string{user}}
	}
	return Person{Way: Operator, Name: name}
}

// Same reports whether two are the same person as far as can be known: by who is signed
// in, by name, or because one stands behind the other's name. Names that
// look alike, such as by case alone, are one.
func (p Person) Same(q Person) bool {
	if p.ID != "" && p.ID == q.ID {
		return true
	}
	for _, a := range append([]string{p.Name}, p.Behind...) {
		for _, b := range append([]string{q.Name}, q.Behind...) {
			if access.Alike(a, b) {
				return true
			}
		}
	}
	return false
}

// Confirms reports whether somebody is there in person. A program is not, whoever runs
// it; on the command line nobody is known.
func (p Person) Confirms() bool { return p.Way == Session || p.Way == Operator }
