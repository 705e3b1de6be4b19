package awscur

import (
	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// line is what the words of a row say by themselves: most of a charge. Bills
// have few different ones, so they are kept by the numbers of their words.
type line struct {
	charge   ledger.Charge
	kind     lineType
	reserved bool // names a reservation
	known    bool // its type has a rule
}

// lineColumns are the columns that a line is made of.
var lineColumns = []column{
	colLineType, colBillType, colProductCode, colUsageType, colOperation, colZone, colUnit, colTerm, colCurrency, colReservationARN, colPlanARN,
	colProduct, colProductName, colInstanceType, colRegion, colServiceCode, colCapacityStatus,
}

// lines are the lines seen lately.
type lines struct {
	positions []int // of lineColumns; none: there are too many to be a key
	serial    uint64
	known     map[lineKey]*line
}

// lineKey is the numbers of a line's words, by lines.positions.
type lineKey [24]int32

const maxLines = 1 << 14

func newLines(s *schema) lines {
	var positions []int
	for _, c := range lineColumns {
		positions = append(positions, s.at[c]...)
	}
	if len(positions) > len(lineKey{}) {
		positions = nil
	}
	return lines{positions: positions, known: map[lineKey]*line{}}
}

// line is that of a row.
func (m *mapper) line(r row) (*line, *table.CellError) {
	p, prepared := r.Row.(table.Prepared)
	if !prepared || len(m.lines.positions) == 0 {
		return m.readLine(r)
	}
	var key lineKey
	serial := p.Words(m.lines.positions, key[:])
	if serial == 0 {
		return m.readLine(r)
	}
	if serial != m.lines.serial {
		clear(m.lines.known)
		m.lines.serial = serial
	}
	if l, ok := m.lines.known[key]; ok {
		return l, nil
	}
	l, bad := m.readLine(r)
	if bad == nil {
		if len(m.lines.known) >= maxLines {
			clear(m.lines.known)
		}
		m.lines.known[key] = l
	}
	return l, bad
}

// readLine finds out what a row's words say.
func (m *mapper) readLine(r row) (*line, *table.CellError) {
	l := &line{}
	c := &l.charge
	t := lineType(m.word(r, colLineType))
	c.Provider = provider
	c.ServiceCode, c.UsageType, c.Operation, c.Zone = m.word(r, colProductCode), m.word(r, colUsageType), m.word(r, colOperation), m.word(r, colZone)
	reservation := m.word(r, colReservationARN)
	l.kind, l.reserved = t, reservation != ""
	c.LineItemType = string(t)
	c.Kind, c.Category, l.known = classify(t, c.ServiceCode, c.UsageType, l.reserved)
	if t == typeRefund || m.word(r, colBillType) == "Refund" {
		c.Class = "Correction"
	}
	c.Currency, c.UsageUnit = m.word(r, colCurrency), m.word(r, colUnit)
	if c.CommitmentID = reservation; c.CommitmentID == "" {
		c.CommitmentID = m.word(r, colPlanARN)
	}
	product, bad := r.pairsOf(colProduct)
	if bad != nil {
		return nil, bad
	}
	m.where(r, c, product)
	kind := readUsageType(c.UsageType)
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount:
		// Time inside an allocated capacity reservation is billed on another line.
		c.InstanceHours = kind.instanceHours && bill.First(lookup(product, "capacitystatus"), r.text(colCapacityStatus)) != "AllocatedCapacityReservation"
	}
	if c.InstanceType = m.word(r, colInstanceType); c.InstanceType == "" {
		if c.InstanceType = m.words.Intern(lookup(product, "instance_type")); c.InstanceType == "" {
			c.InstanceType = m.words.Intern(kind.instanceType)
		}
	}
	c.PriceClass = priceClass(t, kind, r.text(colTerm))
	c.BillsGPU = managedGPU(c)
	return l, nil
}
