package config

// Limits bound the resources that clients of serve can use.
type Limits struct {
	// Questions is the number of pages and API answers made at once; 0: 12.
	Questions int `yaml:"questions,omitempty"`
	// Exports is the number of whole datasets sent at once; 0: 4.
	Exports int `yaml:"exports,omitempty"`
	// Connections is the number of open connections; 0: 1024.
	Connections int `yaml:"connections,omitempty"`
	// Rate is the number of requests a second of one user, one token, or else one address,
	// averaged over ten seconds, with access control on; 0: 50.
	Rate int `yaml:"rate,omitempty"`
}

// Largest limits. Each question and each export takes a connection to the
// database.
const (
	mostQuestions   = 200
	mostConnections = 100_000
	mostRate        = 100_000
)

// keyFault collects a fault of a key of a section.
type keyFault func(key, format string, args ...any)

func (l Limits) check(fault keyFault) {
	if l.Questions < 0 || l.Questions > mostQuestions {
		fault("questions", "give a number from 1 to 200; each takes a database connection")
	}
	if l.Exports < 0 || l.Exports > mostQuestions {
		fault("exports", "give a number from 1 to 200; each takes a database connection")
	}
	if l.Connections < 0 || l.Connections > mostConnections {
		fault("connections", "give a number from 1 to 100000")
	}
	if l.Rate < 0 || l.Rate > mostRate {
		fault("rate", "give a number from 1 to 100000")
	}
}
