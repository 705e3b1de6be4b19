package confirm

import (
	"context"

	"gpuledger/internal/access"
)

// Way is how a person was identified.
type Way string

// Ways.
const (
	Session  Way = "session"  // signed in here, at a provider or by a proxy
	Token    Way = "token"    // a program
	Operator Way = "operator" // with a configured operator's token, without access control
	Command  Way = "command"  // on the command line, where the name is only claimed
)

// Person is the one who asks for a change or decides on it.
type Person struct {
	Way  Way
	ID   string // of the user or token; empty: only the name is known
	Name string
	// Behind are names of people who may be behind Name: the creator of a token (a user, or
	// another token), or the operating system user of a command.
	Behind []string
}

type commandKey struct{}

// OnCommandLine is the context of a command with its operating system user.
func OnCommandLine(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, commandKey{}, user)
}

// Who is the person who makes changes in a context under a name.
func Who(ctx context.Context, name string) Person {
	if v := access.From(ctx); v != nil {
		way := Token // unless it is known to be a person
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

// Same reports whether two are the same person as far as can be known: by
// id, by name, or because one is behind the other's name. Names that
// look alike, such as those that differ only in case, count as the same.
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

// Confirms reports whether the person is identified well enough to confirm. A program is not a person, and
// the command line does not identify its user.
func (p Person) Confirms() bool { return p.Way == Session || p.Way == Operator }
