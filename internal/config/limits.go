package config

import "errors"

// Limits bound what clients of serve can make it hold.
type Limits struct {
	// Questions is how many pages and answers of the API are made at once; 0: 12.
	Questions int `yaml:"questions,omitempty"`
	// Exports is how many whole datasets are sent at once; 0: 4.
	Exports int `yaml:"exports,omitempty"`
	// Connections is how many are open at once; 0: 1024.
	Connections int `yaml:"connections,omitempty"`
	// Rate is how many requests a second one user, one token, or else one address may
	// send, on average over ten, where access control is on; 0: 50.
	Rate int `yaml:"rate,omitempty"`
}

// What limits may be. Each question and each export has a connection to the
// database.
const (
	mostQuestions   = 200
	mostConnections = 100_000
	mostRate        = 100_000
)

func (l Limits) check() error {
	switch {
	case l.Questions < 0 || l.Questions > mostQuestions:
		return errors.New("limits.questions: give a number from 1 to 200; each takes a database connection")
	case l.Exports < 0 || l.Exports > mostQuestions:
		return errors.New("limits.exports: give a number from 1 to 200; each takes a database connection")
	case l.Connections < 0 || l.Connections > mostConnections:
		return errors.New("limits.connections: give a number from 1 to 100000")
	case l.Rate < 0 || l.Rate > mostRate:
		return errors.New("limits.rate: give a number from 1 to 100000")
	}
	return nil
}
