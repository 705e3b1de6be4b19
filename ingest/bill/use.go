package bill

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Use describes the use on a line that names a resource but neither a machine type nor GPUs.
// All but the unit may be empty.
type Use struct {
	Unit     string
	Category string // FOCUS ServiceCategory
	Type     string // of the resource
	Text     string // description, SKU, usage type
}

// elsewhere are FOCUS categories that contain no machines.
var elsewhere = map[string]bool{
	"storage": true, "networking": true, "databases": true, "security": true,
	"identity": true, "integration": true, "developer tools": true,
	"business applications": true, "web": true, "media": true,
	"management and governance": true, "migration": true, "mobile": true, "analytics": true,
}

// Words for parts of a machine, for machines, and for either.
var (
	attachedWords = strings.Fields("volume disk snapshot backup egress ingress transfer bandwidth traffic ipv4 ipv6 " +
		"address balancer gateway vpn nat ebs bucket" +
		" licence license licensing support filesystem vnic subnet dns image support")
	machineWords = strings.Fields("instance instances node nodes server servers machine machines vm vms compute gpu " +
		"gpus metal baremetal cpu cpus vcpu ocpu core cores host hosts")
	eitherWords = strings.Fields("storage network networking software monitoring memory ram")
)

// BillsMachine reports whether a line with this use bills the named machine itself, and not its
// disk or network.
func (u Use) BillsMachine() bool {
	if elsewhere[strings.ToLower(u.Category)] {
		return false
	}
	of, _ := ledger.ReadUnit(u.Unit)
	if of == ledger.CountsGPU {
		return true
	}
	resource, text := words(u.Type), words(u.Text)
	switch {
	case oneOf(attachedWords, resource), oneOf(eitherWords, resource) && !oneOf(machineWords, resource):
		return false
	case oneOf(machineWords, resource):
	case oneOf(attachedWords, text) && !text["gpu"], oneOf(eitherWords, text) && !oneOf(machineWords, text):
		return false
	}
	switch {
	case of != ledger.CountsElse:
		return true
	case u.Unit == "", counts(u.Unit):
		return u.Category != "" || oneOf(machineWords, resource) || oneOf(machineWords, text)
	}
	return false
}

// counts reports whether a unit counts machines or GPUs.
func counts(unit string) bool {
	switch strings.TrimSuffix(strings.ToLower(strings.Trim(unit, " 0123456789()")), "s") {
	case "", "unit", "unit(", "each", "count", "quantity", "instance", "node", "server", "machine", "vm", "gpu":
		return true
	}
	return false
}

func words(text string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}) {
		out[w] = true
	}
	return out
}

func oneOf(of []string, in map[string]bool) bool {
	for _, w := range of {
		if in[w] || in[w+"s"] {
			return true
		}
	}
	return false
}

// MachineTime sets the instance time of a line that bills a machine with this many GPUs, 0 if
// unknown, in a unit of countable machines or GPUs: at most its charge period. A line of an
// hour or less without an amount bills all of that time.
func MachineTime(c *ledger.Charge, unit string, gpus int64) (ok bool) {
	if c.InstanceSeconds, ok = ledger.MachineSeconds(c.UsageAmount, unit, gpus); !ok {
		return false
	}
	whole := c.Period.Seconds()
	of, _ := ledger.ReadUnit(unit)
	if c.InstanceSeconds == nil && of == ledger.CountsElse && whole > 0 && whole <= period.Hour && positive(c) {
		c.InstanceSeconds = &whole
	}
	return true
}

// positive reports whether a line bills anything.
func positive(c *ledger.Charge) bool {
	for _, m := range ledger.Metrics {
		if a := c.Get(m); a != nil && a.Sign() > 0 {
			return true
		}
	}
	return c.UsageAmount != nil && c.UsageAmount.Sign() > 0
}
