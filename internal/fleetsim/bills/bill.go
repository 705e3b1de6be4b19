package bills

import (
	"strings"

	"gpuledger/internal/fleetsim/world"
)

// Bill is a provider's charges for a cluster and for everything around it.
type Bill interface {
	// Charges are the lines of the final state.
	Charges() []*Charge
	// Write writes all deliveries under dir and notes their files.
	Write(dir string, m *Files) error
}

// noBill is the bill of a fleet without a delivered bill.
type noBill struct{}

// Charges implements Bill.
func (noBill) Charges() []*Charge { return nil }

// Write implements Bill.
func (noBill) Write(string, *Files) error { return nil }

// Files are the files of bills. Paths are relative to the folder.
type Files struct {
	AWSCUR    []string // data files and manifests of the current delivery
	AWSFirst  []string // those of the delivery that it restates
	GCP       []string // one file per export day
	Azure     []string // data files and manifests of the current pair
	AzureOld  []string // those of the pair that it restates
	BillLines int64
}

// All bills the clusters of a fleet, and finds the lines of the price book that have the owned machines.
func All(worlds []*world.World) []Bill {
	bills := make([]Bill, 0, len(worlds))
	line := int64(6)
	for _, w := range worlds {
		bills = append(bills, billOf(w))
		if w.Site.Provider == world.Owned {
			w.BookLine = line
			line += int64(strings.Count(ownedEntry(w), "\n"))
		}
	}
	return bills
}

func billOf(w *world.World) Bill {
	switch {
	case w.Config.Unbilled:
		return noBill{}
	case w.Site.Provider == world.GCP:
		return newGCPBill(w)
	case w.Site.Provider == world.Azure:
		return newAzureBill(w)
	case w.Site.Provider == world.Owned:
		return newOwnedBill(w)
	}
	return newAWSBill(w)
}
