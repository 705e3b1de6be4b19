package metrics

import (
	"strings"

	"gpuledger/internal/ledger"
)

// Entity is the record that a group key belongs to.
type Entity string

// Entities.
const (
	OnPosting  Entity = "posting"
	OnNode     Entity = "node"
	OnWorkload Entity = "workload"
	OnRun      Entity = "run"
	OnAttempt  Entity = "attempt"
	OnOwner    Entity = "owner"
	OnCharge   Entity = "charge"
	OnTenant   Entity = "tenant"
	OnTag      Entity = "tag"   // tag:KEY, a billing tag of the charge
	OnLabel    Entity = "label" // label:KEY, of pod, root owner and namespace
)

// Key is a group key: costs can be grouped and filtered by it. An unknown value is NULL.
type Key struct {
	Name string // as typed: "team", "tag:CostCenter"
	On   Entity
	Doc  string
	// Arg is the KEY of tag:KEY and label:KEY, empty otherwise.
	Arg string
}

// Keys lists the standard group keys in the order of the contract.
var Keys = []Key{
	{"tenant", OnTenant, "Tenant of the ledger.", ""},
	{"business_unit", OnOwner, "Business unit of the owner.", ""},
	{"provider", OnCharge, "Cloud or source of the bill; without a bill, of the node.", ""},
	{"billing_account", OnCharge, "Payer account of the bill.", ""},
	{"account", OnCharge, "Sub-account (FOCUS SubAccountId); without a bill, of the node.", ""},
	{"billing_period", OnPosting, "Billing month of the invoice; NULL while provisional.", ""},
	{"region", OnNode, "Region of the node, else of the charge.", ""},
	{"zone", OnNode, "Zone of the node, else of the charge.", ""},
	{"cluster", OnNode, "Cluster of the node.", ""},
	{"node", OnNode, "Name of the node.", ""},
	{"instance_type", OnNode, "Instance type of the node, else of the charge.", ""},
	{"gpu_model", OnNode, "GPU model of the node.", ""},
	{"device", OnPosting, "GPU UUID.", ""},
	{"slice", OnPosting, "GPU UUID and MIG instance id, joined by a slash; NULL for a whole device.", ""},
	{"mig_profile", OnPosting, "MIG profile; NULL for a whole device.", ""},
	{
		"pricing", OnCharge, "Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node.",
		"",
	},
	{"commitment", OnCharge, "Reservation or savings plan that the charge belongs to.", ""},
	{"service_name", OnCharge, "Provider's service (FOCUS ServiceName).", ""},
	{"namespace", OnWorkload, "Namespace of the workload.", ""},
	{"workload_kind", OnWorkload, "Kind of the root owner.", ""},
	{"workload_class", OnWorkload, "run, service, interactive or system.", ""},
	{"workload", OnWorkload, "Name of the root owner.", ""},
	{"pod", OnWorkload, "Name of the pod.", ""},
	{"run", OnPosting, "Run id.", ""},
	{"attempt", OnAttempt, "Number of the attempt within its run and task.", ""},
	{"group", OnRun, "Pipeline, sweep or array of the run.", ""},
	{"service", OnWorkload, "Inference deployment.", ""},
	{"team", OnOwner, "Team, or `unowned`.", ""},
	{"project", OnOwner, "Project of the owner.", ""},
	{"model", OnOwner, "Model of the owner.", ""},
	{"model_version", OnOwner, "Model version of the owner.", ""},
	{"stage", OnOwner, "Stage: training, fine_tuning, evaluation, inference …", ""},
	{"environment", OnOwner, "Environment of the owner.", ""},
	{"cost_center", OnOwner, "Cost centre of the owner.", ""},
	{"experiment", OnOwner, "Experiment of the owner.", ""},
	{"dataset", OnOwner, "Dataset of the owner.", ""},
	{"user", OnOwner, "User of the owner.", ""},
	{"priority", OnOwner, "Priority of the owner.", ""},
	{"queue", OnOwner, "Queue of the owner.", ""},
	{"cause", OnPosting, "Why the money was spent.", ""},
	{"charge_category", OnCharge, "FOCUS ChargeCategory.", ""},
	{"quality", OnPosting, "measured, estimated or assumed.", ""},
	{"state", OnPosting, "provisional, open or final.", ""},
	{
		"kind", OnPosting, "How the cost came to its owner: direct, amortise, adjustment; after sharing also shared_out " +
			"(passed on) and shared_in (received).", "",
	},
}

// OwnerKeys lists the owner dimensions in the order of the contract.
var OwnerKeys = ledger.Dimensions

// maxKeyArg bounds KEY of tag:KEY and label:KEY, in bytes.
const maxKeyArg = 256

// LookupKey finds a group key by its name, tag:KEY and label:KEY included.
func LookupKey(name string) (Key, bool) {
	for _, k := range Keys {
		if k.Name == name {
			return k, true
		}
	}
	prefix, arg, ok := strings.Cut(name, ":")
	if !ok || arg == "" || len(arg) > maxKeyArg || strings.ContainsRune(arg, 0) {
		return Key{}, false
	}
	switch prefix {
	case "tag":
		return Key{name, OnTag, "Billing tag " + arg + " of the charge.", arg}, true
	case "label":
		return Key{name, OnLabel, "Label " + arg + " of the workload, its root owner or namespace.", arg}, true
	}
	return Key{}, false
}
