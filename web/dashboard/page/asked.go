package page

import (
	"errors"

	"gpuledger/metrics/ask"
	"gpuledger/web/views"
)

// Asked prints a question as SQL, as an address of the REST API and as a command.
func Asked(q ask.Question) views.Asked {
	a := views.Asked{REST: q.REST(), Command: q.Command()}
	sql, err := q.SQL()
	if no, ok := errors.AsType[*ask.NoSQLError](err); ok {
		a.NoSQL = no.Reason
	} else if err == nil {
		a.SQL = sql
	}
	return a
}
