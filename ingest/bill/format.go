package bill

import (
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Format is one kind of bill. Its methods may be called from several
// goroutines.
type Format interface {
	// Source is the name of the source in the ledger, such as "aws-cur".
	Source() string
	// Options sets how its text files are read.
	Options() table.Options
	// Looks reports whether the column names are of this format, complete or not.
	Looks(names []string) bool
	// IsManifest reports whether a JSON text that begins with head is a manifest.
	IsManifest(head []byte) bool
	// Bind resolves the header of one file. It refuses a header that lacks a required column, and
	// names the column.
	Bind(file blob.File, names []string) (Binding, *ledger.Rejection)
	// ParseManifest reads the text of a manifest.
	ParseManifest(name string, text []byte) (*Manifest, error)
	// Describe names the delivery of a unit's rows.
	Describe(u Unit) Description
}

// Unit distinguishes rows of one file that can belong to different deliveries.
type Unit struct {
	Scope     string // payer, billing account or subscription; empty: the scope of the file's other rows
	Partition string // "2026-11", or a day "2026-11-20" of append-only exports
	Dataset   string // "CUR 2.0", "ActualCost" …
	Load      string // load id of a loader, empty without one
	// Variant distinguishes files of an append-only export that hold the same money in other
	// columns; empty: it fits any.
	Variant string
}

// Description is a format's description of a delivery.
type Description struct {
	// Export is its name unless a manifest has a better one: provider, scope and kind of columns,
	// never a path.
	Export string
	Kind   ledger.DeliveryKind
	Rank   int // native 3, legacy 2, FOCUS 1
	// Increment: a file of the append-only export never holds the whole month again.
	Increment bool
}

// Binding reads the rows of one file. One goroutine uses it at a time.
type Binding interface {
	// Survey lists the positions that Unit, LineKey and Control read.
	Survey() []int
	// Identity lists the columns of a row's identity, Extra the other columns that the mapping
	// reads.
	Identity() []IdentityColumn
	Extra() []int
	// ScopeColumn is the column of Unit's scope, for messages.
	ScopeColumn() string
	// Unit returns the row's unit, and so its delivery.
	Unit(r table.Row) (Unit, *table.CellError)
	// LineKey appends a key that distinguishes the row from all others of its delivery, such as a
	// line id and interval. ok is false if only all columns together do. Keyed reports beforehand
	// whether any row has a key.
	LineKey(r table.Row, dst []byte) (key []byte, ok bool)
	Keyed() bool
	// Control adds the row's raw text to the control totals of its unit. It
	// shares no code with Charge.
	Control(r table.Row, t *Totals) *table.CellError
	// Carries lists the measures that the file has columns for.
	Carries() []ledger.Metric
	// Charge maps a row; scope is its delivery's scope. The caller sets ID, SourceFile and Line. A
	// non-empty note is counted, such as a line type without a rule.
	Charge(r table.Row, scope string, c *ledger.Charge) (note string, bad *table.CellError)
}

// Timed is implemented by bindings whose rows contain the time of delivery. The newest time of
// a unit is its delivery's time.
type Timed interface {
	DeliveredAt(r table.Row) (period.Second, bool)
}

// Mixed is implemented by formats with snapshot and append units, depending on their rows.
type Mixed interface{ MayAppend() bool }

// Standard is implemented by bindings of bills in FOCUS: their columns are not derived from others.
type Standard interface{ Standard() }

// Numbered is implemented by bindings of increments whose rows may have a number from the
// provider: the same number at the same time is the same row.
type Numbered interface {
	// RowID is empty if the row has no number.
	RowID(r table.Row) string
}

// Spotter is implemented by bindings that recognise lines of GPU machines in the first pass.
// Lines that belong to such a machine are never aggregated.
type Spotter interface {
	// Machine is the instance key of the GPU machine that the row bills, empty
	// for all other rows.
	Machine(r table.Row) string
}

// IdentityColumn is a column of a row's identity.
type IdentityColumn struct {
	Pos  int
	Name string // canonical: the same in every dialect of the format
	Form Form
	// Canon, if not nil, writes the value of a cell's text instead of Form; writing nothing means
	// no value.
	Canon func(dst []byte, text string) []byte
}

// Form is how the values of a column are compared between files.
type Form = table.Form

// Forms.
const (
	Text   = table.Text   // verbatim
	Number = table.Number // as a decimal without superfluous zeros
	Time   = table.Time   // as an instant
	Pairs  = table.Pairs  // as a set of pairs
)
