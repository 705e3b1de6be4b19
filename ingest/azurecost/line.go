package azurecost

import (
	"regexp"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// Azure's kinds of lines. Anything else becomes LineOther.
const (
	typeUsage             = "usage"
	typePurchase          = "purchase"
	typeRefund            = "refund"
	typeUnusedReservation = "unusedreservation"
	typeUnusedPlan        = "unusedsavingsplan"
	typeRounding          = "roundingadjustment"
	typeTax               = "tax"
	typeCredit            = "credit"
	typeAdjustment        = "adjustment"
)

// lineFacts decide a line's kind.
type lineFacts struct {
	charge     string // ChargeType, squashed; usage for files without the column
	pricing    string // PricingModel, squashed
	commitment string // benefit or reservation id in lower case
	support    bool
	capacity   bool // bought from a commitment service
}

func (r row) facts() lineFacts {
	f := lineFacts{charge: table.Squash(r.TextOf(colChargeType)), pricing: table.Squash(r.TextOf(colPricingModel))}
	if f.charge == "" {
		f.charge = typeUsage
	}
	f.commitment = strings.ToLower(r.TextOf(colBenefit))
	if f.commitment == "" {
		f.commitment = strings.ToLower(r.TextOf(colReservation))
	}
	switch f.charge {
	case typePurchase, typeRefund:
		service := strings.ToLower(r.TextOf(colConsumedService))
		f.capacity = service == "microsoft.capacity" || service == "microsoft.billingbenefits"
		f.support = service == "microsoft.support" || table.Squash(r.TextOf(colMeterCategory)) == "support" ||
			!r.marketplace() && supportPlan.MatchString(r.TextOf(colProduct))
	}
	return f
}

// marketplace reports whether another company sells the billed product.
func (r row) marketplace() bool { return strings.EqualFold(r.TextOf(colPublisherType), "Marketplace") }

// supportPlan matches the products of Azure's support plans.
var supportPlan = regexp.MustCompile(`(?i)^(azure )?((standard|developer|professional direct|premier) )?support\b|professional direct`)

// committed reports whether a reservation or savings plan is involved.
func (f *lineFacts) committed() bool {
	switch f.pricing {
	case "reservation", "savingsplan":
		return true
	case "":
		return f.commitment != "" || f.capacity
	}
	return f.capacity
}

// covered reports whether the line is use that a commitment pays for.
func (f *lineFacts) covered() bool { return f.charge == typeUsage && f.committed() }

// commitmentFee reports whether the line is a purchase, refund or unused part of a commitment.
func (f *lineFacts) commitmentFee() bool {
	switch f.charge {
	case typeUnusedReservation, typeUnusedPlan:
		return true
	case typePurchase, typeRefund:
		return f.committed()
	}
	return false
}

// classify decides the line's effect on the ledger and its FOCUS category. known is false for
// types without a rule.
func (f *lineFacts) classify() (kind ledger.LineKind, cat ledger.ChargeCategory, known bool) {
	switch f.charge {
	case typeUsage:
		if f.committed() {
			return ledger.LineCoveredUsage, ledger.CategoryUsage, true
		}
		return ledger.LineUsage, ledger.CategoryUsage, true
	case typeUnusedReservation, typeUnusedPlan:
		return ledger.LineCommitmentFee, ledger.CategoryUsage, true
	case typePurchase:
		switch {
		case f.committed():
			return ledger.LineCommitmentFee, ledger.CategoryPurchase, true
		case f.support:
			return ledger.LineInvoice, ledger.CategoryPurchase, true
		}
		return ledger.LineOther, ledger.CategoryPurchase, true
	case typeRefund:
		switch {
		case f.committed():
			return ledger.LineCommitmentFee, ledger.CategoryPurchase, true
		case f.support:
			return ledger.LineInvoice, ledger.CategoryPurchase, true
		}
		return ledger.LineDiscount, ledger.CategoryAdjustment, true
	case typeRounding:
		return ledger.LineInvoice, ledger.CategoryAdjustment, true
	case typeTax:
		return ledger.LineInvoice, ledger.CategoryTax, true
	case typeCredit:
		return ledger.LineDiscount, ledger.CategoryCredit, true
	case typeAdjustment:
		return ledger.LineDiscount, ledger.CategoryAdjustment, true
	}
	return ledger.LineOther, ledger.CategoryAdjustment, false
}

// class is how the line was bought; spot is a property of the machine.
func (f *lineFacts) class(spot, hours bool) ledger.PriceClass {
	switch {
	case spot || f.pricing == "spot":
		return ledger.Spot
	case f.charge != typeUsage && !f.commitmentFee():
		return ledger.UnknownRate
	case f.pricing == "savingsplan", f.charge == typeUnusedPlan, f.committed() && strings.Contains(f.commitment,
		"savingsplan"):
		return ledger.SavingsPlan
	case f.pricing == "reservation", f.charge == typeUnusedReservation, f.committed():
		return ledger.Reserved
	case hours:
		return ledger.OnDemand
	}
	return ledger.UnknownRate
}
