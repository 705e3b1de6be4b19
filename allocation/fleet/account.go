package fleet

import (
	"strings"

	"gpuledger/internal/catalog"
)

// accountsOfClusters gives machines with an unknown account the account of the other machines of their cluster and
// provider, if these have one (rule 8.13).
func accountsOfClusters(all []Machine) {
	type place struct{ cluster, provider string }
	const several = "\x00"
	accounts := map[place]string{}
	for i := range all {
		m := &all[i]
		if m.Cluster == "" || m.Account == "" {
			continue
		}
		at := place{m.Cluster, Provider(m.ProviderID)}
		if known, ok := accounts[at]; ok && known != m.Account {
			accounts[at] = several
		} else {
			accounts[at] = m.Account
		}
	}
	for i := range all {
		m := &all[i]
		if account := accounts[place{m.Cluster, Provider(m.ProviderID)}]; m.Cluster != "" && m.Account == "" &&
			account != several {
			m.Account = account
		}
	}
}

// clouds are the providers that machines and bills call by the same name.
var clouds = map[string]bool{"aws": true, "azure": true, "gcp": true, "oracle": true}

// distributions are schemes of provider ids that name the software that set up a cluster, not the provider of its
// machines.
var distributions = map[string]bool{"k3s": true, "rke2": true, "k0s": true, "kind": true, "minikube": true, "": true}

// MayBill reports whether a bill of a provider can contain a machine of which only its provider id and type are known
// (rule 8.13): not the bill of another cloud, and not a price book, which names its machines.
func MayBill(biller, providerID, instanceType string) bool {
	if biller == "owned" {
		return false
	}
	machine := Provider(providerID)
	if distributions[machine] {
		if _, here := catalog.LookupAt(biller, instanceType); here || !catalog.Lists(biller) {
			return true
		}
		_, elsewhere := catalog.Lookup(instanceType)
		return !elsewhere
	}
	if clouds[biller] || clouds[machine] {
		return biller == machine || strings.EqualFold(biller, "unknown")
	}
	return true
}
