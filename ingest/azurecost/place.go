package azurecost

import (
	"strings"

	"gpuledger/ingest/table"
)

// shortRegions are billing's other names for regions, with the resource manager's names, both
// without blanks and in lower case.
var shortRegions = func() map[string]string {
	out := map[string]string{}
	for pair := range strings.FieldsSeq(`useast=eastus useast2=eastus2 uscentral=centralus usnorthcentral=northcentralus
		ussouthcentral=southcentralus uswestcentral=westcentralus uswest=westus uswest2=westus2 uswest3=westus3
		eunorth=northeurope euwest=westeurope apeast=eastasia apsoutheast=southeastasia jaeast=japaneast jawest=japanwest
		brsouth=brazilsouth brsoutheast=brazilsoutheast aueast=australiaeast ausoutheast=australiasoutheast
		aucentral=australiacentral aucentral2=australiacentral2 incentral=centralindia insouth=southindia inwest=westindia
		cacentral=canadacentral caeast=canadaeast krcentral=koreacentral krsouth=koreasouth frcentral=francecentral
		frsouth=francesouth dewestcentral=germanywestcentral denorth=germanynorth noeast=norwayeast nowest=norwaywest
		chnorth=switzerlandnorth chwest=switzerlandwest aenorth=uaenorth aecentral=uaecentral zanorth=southafricanorth
		zawest=southafricawest secentral=swedencentral sesouth=swedensouth plcentral=polandcentral itnorth=italynorth
		ilcentral=israelcentral qacentral=qatarcentral mxcentral=mexicocentral escentral=spaincentral`) {
		short, name, _ := strings.Cut(pair, "=")
		out[short] = name
	}
	return out
}()

// region is a location in the resource manager's spelling: "EastUS", "East US" and "US East"
// are eastus.
func region(location string) string {
	name := table.Squash(location)
	if full, ok := shortRegions[name]; ok {
		return full
	}
	return name
}

// zone prefixes the number of an availability zone with its region, which is how clusters name
// zones.
func zone(region, number string) string {
	if number == "" || region == "" || strings.Trim(number, "0123456789") != "" {
		return strings.ToLower(number)
	}
	return region + "-" + number
}
