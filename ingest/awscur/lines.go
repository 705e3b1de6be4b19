package awscur

import (
	"math/bits"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// line is the part of a charge that follows from a row's words alone, which is most of it.
// Bills have few different lines, so they are cached by the numbers of their words.
type line struct {
	charge   ledger.Charge
	kind     lineType
	reserved bool   // it names a reservation
	known    bool   // its type has a rule
	price    string // SkuPriceDetails of FOCUS
	key      lineKey
}

// lineColumns are the columns that determine a line.
var lineColumns = []column{
	colLineType, colBillType, colBillingEntity, colProductCode, colUsageType,
	colOperation, colZone, colUnit, colTerm, colCurrency, colReservationARN, colPlanARN,
	colProduct, colProductName, colInstanceType, colRegion, colServiceCode, colCapacityStatus,
}

// lines is a cache of recent lines.
type lines struct {
	positions []int // of lineColumns; none: there are too many to be a key
	serial    uint64
	key       lineKey // of the current row
	slots     []*line // by hash of the key, open addressing; a power of two
	known     int
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
	return lines{positions: positions, slots: make([]*line, 4*maxLines)}
}

// line is the line of a row.
func (m *mapper) line(r row) (*line, *table.CellError) {
	p, prepared := r.Row.(table.Prepared)
	if !prepared || len(m.lines.positions) == 0 {
		return m.readLine(r)
	}
	known := &m.lines
	serial := p.Words(known.positions, known.key[:])
	if serial == 0 {
		return m.readLine(r)
	}
	if serial != known.serial || known.known == maxLines {
		clear(known.slots)
		known.serial, known.known = serial, 0
	}
	at := known.key.hash() % uint64(len(known.slots))
	for ; known.slots[at] != nil; at = (at + 1) % uint64(len(known.slots)) {
		if l := known.slots[at]; l.key == known.key {
			return l, nil
		}
	}
	l, bad := m.readLine(r)
	if bad == nil {
		l.key = known.key
		known.slots[at] = l
		known.known++
	}
	return l, bad
}

// hash mixes the numbers in four lanes, which a processor computes in parallel.
func (k *lineKey) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	var a, b, c, d uint64
	for i := 0; i < len(k); i += 4 {
		a = (a ^ uint64(uint32(k[i]))) * prime
		b = (b ^ uint64(uint32(k[i+1]))) * prime
		c = (c ^ uint64(uint32(k[i+2]))) * prime
		d = (d ^ uint64(uint32(k[i+3]))) * prime
	}
	h := (a ^ bits.RotateLeft64(b, 17) ^ bits.RotateLeft64(c, 31) ^ bits.RotateLeft64(d, 47)) * prime
	return h ^ h>>32
}

// readLine builds the line of a row's words.
func (m *mapper) readLine(r row) (*line, *table.CellError) {
	l := &line{}
	c := &l.charge
	t := lineType(m.word(r, colLineType))
	c.Provider = provider
	c.ServiceCode, c.UsageType, c.Operation, c.Zone = m.word(r, colProductCode), m.word(r, colUsageType),
		m.word(r, colOperation), m.word(r, colZone)
	reservation := m.word(r, colReservationARN)
	l.kind, l.reserved = t, reservation != ""
	c.LineItemType = string(t)
	c.Kind, c.Category, l.known = classify(t, c.ServiceCode, c.UsageType, l.reserved)
	if t == typeRefund || m.word(r, colBillType) == "Refund" {
		c.Class = "Correction"
	}
	c.Marketplace = strings.EqualFold(m.word(r, colBillingEntity), "AWS Marketplace")
	c.Currency, c.UsageUnit = m.word(r, colCurrency), m.word(r, colUnit)
	if c.CommitmentID = reservation; c.CommitmentID == "" {
		c.CommitmentID = m.word(r, colPlanARN)
	}
	product, bad := r.PairsOf(colProduct)
	if bad != nil {
		return nil, bad
	}
	m.where(r, c, product)
	l.price = priceDetails(r, product)
	kind := readUsageType(c.UsageType)
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount:
		// Time inside an allocated capacity reservation is billed on another line.
		c.InstanceHours = kind.instanceHours &&
			bill.First(lookup(product, "capacitystatus"), r.TextOf(colCapacityStatus)) != "AllocatedCapacityReservation"
	}
	if c.InstanceType = m.word(r, colInstanceType); c.InstanceType == "" {
		if c.InstanceType = m.words.Intern(lookup(product, "instance_type")); c.InstanceType == "" {
			c.InstanceType = m.words.Intern(kind.instanceType)
		}
	}
	c.PriceClass = priceClass(t, kind, r.TextOf(colTerm))
	c.BillsGPU = managedGPU(c)
	m.perUse.Mark(c, "")
	return l, nil
}
