package metrics

import (
	"encoding/json"
	"fmt"

	"gpuledger/internal/period"
)

// DataWindow is the time for which a dataset has data that the reader may see: from its first row to the end of its
// last. It never depends on the clock.
type DataWindow struct {
	period.Interval // To is 0 while a row goes on, such as a run that has not ended
	Any             bool
}

// Hull is the shortest window that covers both.
func (w DataWindow) Hull(other DataWindow) DataWindow {
	switch {
	case !other.Any:
		return w
	case !w.Any:
		return other
	}
	w.From = min(w.From, other.From)
	if w.To = max(w.To, other.To); other.To == 0 {
		w.To = 0
	}
	return w
}

// String names the window in a message.
func (w DataWindow) String() string {
	if w.To == 0 {
		return fmt.Sprintf("from %s on", w.From)
	}
	return fmt.Sprintf("from %s to %s", w.From, w.To)
}

// MarshalJSON writes the window as its two bounds; null without data.
func (w DataWindow) MarshalJSON() ([]byte, error) {
	if !w.Any {
		return []byte("null"), nil
	}
	bounds := struct {
		From string  `json:"from"`
		To   *string `json:"to"` // null: a row goes on
	}{From: w.From.String()}
	if w.To != 0 {
		to := w.To.String()
		bounds.To = &to
	}
	return json.Marshal(bounds)
}

// OutsideError refuses a period for which a dataset has no data.
type OutsideError struct {
	Dataset string
	Option  string // "from" or "to"
	Value   period.Second
	Data    DataWindow
}

// Error implements error.
func (e *OutsideError) Error() string {
	where := "before"
	if e.Option == "from" {
		where = "after"
	}
	return fmt.Sprintf("%s %s: the period is %s all data; %s has data %s", e.Option, e.Value, where, e.Dataset, e.Data)
}

// Within refuses a period that is wholly outside the data (*OutsideError). Without any data, every period has no rows.
// The windows of earlier and closed states are not stored, so their periods are not checked.
func (q Query) Within(data DataWindow) error {
	asked := q.Window
	switch {
	case !data.Any || q.AsOf != 0 || !q.Statement.IsZero():
		return nil
	case asked.To != 0 && asked.To <= data.From:
		return &OutsideError{q.Dataset.Name, "to", asked.To, data}
	case asked.From != 0 && data.To != 0 && asked.From >= data.To:
		return &OutsideError{q.Dataset.Name, "from", asked.From, data}
	}
	return nil
}

// Beyond reports whether the period reaches beyond the data.
func (q Query) Beyond(data DataWindow) bool {
	return data.Any && (q.Window.From != 0 && q.Window.From < data.From || data.To != 0 && q.Window.To > data.To)
}
