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
	// Options say how its text files are read.
	Options() table.Options
	// Looks reports whether column names are of this format, complete or not.
	Looks(names []string) bool
	// IsManifest reports whether the beginning of a JSON text is a manifest.
	IsManifest(head []byte) bool
	// Bind resolves the header of one file. It refuses a header that lacks what
	// every row needs, by name.
	Bind(file blob.File, names []string) (Binding, *ledger.Rejection)
	// ParseManifest reads the text of a manifest.
	ParseManifest(name string, text []byte) (*Manifest, error)
	// Describe names the delivery that rows of a unit make.
	Describe(u Unit) Description
}

// Unit tells apart rows that can belong to different deliveries of a file.
type Unit struct {
	Scope     string // whose bill: payer, billing account, subscription; empty: that of the other rows of the file
	Partition string // "2026-11", or a day "2026-11-20" of append exports
	Dataset   string // "CUR 2.0", "ActualCost" …
	Load      string // load id of a loader, empty without one
	// Variant tells apart files of an append-only export that hold the same
	// money in other columns; empty: it fits any.
	Variant string
}

// Description is what a format says of a delivery.
type Description struct {
	// Export is its name when no manifest says a better one: provider, scope
	// and kind of columns, never a path.
	Export string
	Kind   ledger.DeliveryKind
	Rank   int // native 3, legacy 2, FOCUS 1
	// Increment: no file of an append-only export ever holds the whole month again.
	Increment bool
}

// Binding reads the rows of one file. One goroutine uses it at a time.
type Binding interface {
	// Survey lists the positions that Unit, LineKey and Control read.
	Survey() []int
	// Identity lists the columns that make up a row's identity, and Extra those
	// that mapping reads besides them.
	Identity() []IdentityColumn
	Extra() []int
	// ScopeColumn is where Unit finds the scope, for messages.
	ScopeColumn() string
	// Unit tells which delivery a row belongs to.
	Unit(r table.Row) (Unit, *table.CellError)
	// LineKey appends what tells the row from all others of its delivery, such
	// as a line id and interval. ok is false when only all columns can; Keyed
	// says beforehand whether any row has one.
	LineKey(r table.Row, dst []byte) (key []byte, ok bool)
	Keyed() bool
	// Control adds the row's raw text to the control totals of its unit. It
	// shares no code with Charge.
	Control(r table.Row, t *Totals) *table.CellError
	// Carries lists the measures that the file has columns for.
	Carries() []ledger.Metric
	// Charge maps a row; scope is that of its delivery. ID, SourceFile and Line
	// are left to the caller. note, when not empty, is counted: a line type
	// without a rule, say.
	Charge(r table.Row, scope string, c *ledger.Charge) (note string, bad *table.CellError)
}

// Timed is implemented by bindings whose rows say when they were delivered.
// The newest time of a unit is that of its delivery.
type Timed interface {
	DeliveredAt(r table.Row) (period.Second, bool)
}

// Mixed is implemented by formats of which some units are snapshots and some append,
// by what their rows say.
type Mixed interface{ MayAppend() bool }

// Numbered is implemented by bindings of increments whose rows may have a number of
// the provider's: the same number at the same time is the same row.
type Numbered interface {
	// RowID is empty where the row has no number.
	RowID(r table.Row) string
}

// Spotter is implemented by bindings that recognise lines of GPU machines in
// the first pass. Lines that hang on such a machine are never aggregated.
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
	// Canon, when not nil, writes the value that the text of a cell stands for,
	// in place of Form; nothing written is no value.
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
