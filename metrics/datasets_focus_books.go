package metrics

import "gpuledger/metrics/focus"

var focusBillingPeriod = Dataset{
	Name: "focus_billing_period",
	Lead: []string{"InvoiceIssuerName", "BillingPeriodStart", "BillingPeriodStatus", "BillingPeriodLastUpdated"},
	Doc: "FOCUS BillingPeriod: a month of an issuer of invoices, Closed when it is closed here for each of its billing " +
		"accounts. Since FOCUS 1.4.",
	Focus:   focus.BillingPeriod,
	Columns: focusColumns(focus.BillingPeriod, "parts, charge_details, deliveries, period_states, statements"),
	ByMonth: true,
	RowKey:  []string{"InvoiceIssuerName", "BillingPeriodStart"},
	Order:   []Order{{Column: "BillingPeriodStart"}, {Column: "InvoiceIssuerName"}},
}

var focusInvoiceDetail = Dataset{
	Name: "focus_invoice_detail",
	Lead: []string{"InvoiceId", "BillingPeriodStart", "BillingAccountId", "ChargeCategory", "BilledCost",
		"BillingCurrency", "InvoiceIssueStatus"},
	Doc: "FOCUS InvoiceDetail: billed cost by issuer, invoice, billing account, currency, month and category, of charges " +
		"that name an invoice. Since FOCUS 1.4.",
	Focus: focus.InvoiceDetail,
	Columns: focusColumns(focus.InvoiceDetail,
		"parts, charge_rows, charge_details, deliveries, period_states, statements"),
	ByMonth: true,
	RowKey:  []string{"InvoiceIssuerName", "InvoiceId", "InvoiceDetailId"},
	Order:   []Order{{Column: "BillingPeriodStart"}, {Column: "InvoiceId"}, {Column: "ChargeCategory"}},
}

var focusContractCommitment = Dataset{
	Name: "focus_contract_commitment",
	Lead: []string{"ContractCommitmentId", "ContractCommitmentType", "ContractCommitmentCost", "BillingCurrency",
		"ContractCommitmentLifecycleStatus", "ContractCommitmentPeriodEnd"},
	Doc: "FOCUS ContractCommitment: one commitment that lines of bills name. Terms that no bill states are assumed, " +
		"since FOCUS requires them.",
	Focus: focus.ContractCommitment,
	Columns: focusColumns(focus.ContractCommitment, "parts, charge_rows, charge_details, deliveries",
		attr("x_AssumedColumns", Text, "Columns that no bill states, separated by blanks.")),
	ByMonth: true,
	RowKey:  []string{"ContractCommitmentId"},
	Order:   []Order{{Column: "ContractCommitmentId"}},
}
