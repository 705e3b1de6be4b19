package folder

import (
	"cmp"
	"fmt"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/ingest/pricebook"
	"gpuledger/internal/ledger"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/period"
)

// Kinds that a file can have.
const (
	KindBudgets   = "budgets"
	KindMapping   = "mapping"
	KindPolicy    = "policy"
	KindPriceBook = "price_book"
	KindSchedule  = "schedule"
	KindView      = "view"
)

// Kinds lists the kinds in the order in which changes are listed and stored.
var Kinds = []string{KindPolicy, KindMapping, KindBudgets, KindPriceBook, KindView, KindSchedule}

// Place is a line of a file.
type Place struct {
	File string // path in the folder
	Line int
}

// Fault is one fault of a file, with the values that are possible.
type Fault struct {
	Place
	What string
}

// Error implements error.
func (f Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What) }

// sorted sorts faults by place, without duplicates.
func sorted(list []Fault) []Fault {
	slices.SortFunc(list, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(list)
}

// Folder is the content of the files of a folder.
type Folder struct {
	Files     int // with a kind
	Policies  []Policy
	Mappings  []Mapping
	Budgets   []ledger.Budget // with file and line
	Books     []Book
	Views     []View
	Schedules []Schedule
}

// Policy is a version of the policy as written.
type Policy struct {
	Place
	policy.Version
	Document string
	rules    []Place // of the mapped values
}

// Day is the day from which the version applies, as changes have it.
func (p *Policy) Day() string { return dayOf(p.ValidFrom) }

// Mapping is a mapping as written.
type Mapping struct {
	Place
	policy.Mapping
	Document string
	rules    []Place // of the mapped values
}

// Book is a price book: prices of hours without a bill, and machines whose cost becomes bill lines.
type Book struct {
	Place
	Name  string // as in the book, else the file
	Rates []ledger.Rate
	Lines []int // of the rates
	// Owned is the book if it has machines, else nil.
	Owned    *pricebook.Book
	issuedAt Place         // of issued_at
	after    period.Second // of the stored issue
}

// View is a saved page for everyone.
type View struct {
	Place
	ID   ledger.ID // of a stored one
	Own  bool      // a stored one comes from files, not from a person
	Name string
	URL  string
}

// Schedule is a schedule of exports as written.
type Schedule struct {
	Place
	outgoing.Schedule
}
