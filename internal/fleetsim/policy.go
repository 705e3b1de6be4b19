package fleetsim

import _ "embed" // the policy of the demo

// Policy is a document for the policy of a simulated company: what it wants its units to cost.
//
//go:embed policy.yaml
var Policy []byte
