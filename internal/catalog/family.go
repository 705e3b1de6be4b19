package catalog

import (
	"regexp"
	"strings"
)

// families are the clouds' names of machine families with accelerators. They are matched on folded names.
var families = []*regexp.Regexp{
	// AWS: g4dn, gr6, p5en, p6-b200, trn2, inf2, dl1, dl2q.
	regexp.MustCompile(`^(ml\.)?(g|gr|p|trn|inf|dl)[0-9][a-z0-9-]*\.[a-z0-9-]+$`),
	// Google: a2-highgpu-1g, a4x-highgpu-4g, g2-standard-4 and TPU machines.
	regexp.MustCompile(`^(a[2-9][a-z]?|g[2-9])-[a-z0-9-]+$`),
	regexp.MustCompile(`^(ct|tpu)[0-9][a-z0-9]*-[a-z0-9-]+$`),
	// Azure: NC, NCC, ND, NG, NM, NV with sizes.
	regexp.MustCompile(`^n(c|cc|d|g|m|v)[0-9]+[a-z0-9_]*$`),
	// Oracle and others write it out.
	regexp.MustCompile(`(^|[._-]|[0-9]x)(gpu|([hab][1-3]00|gb[2-3]00|mi300)[a-z]*)([._-]|[0-9]|$)`),
}

// AcceleratedLooking reports whether a machine's name is of a family with accelerators at AWS, Google or Azure, or
// contains the word ("BM.GPU.H100.8"), whether or not the catalogue has the machine.
func AcceleratedLooking(name string) bool {
	name = fold(name)
	for _, f := range families {
		if f.MatchString(name) {
			return true
		}
	}
	return false
}

// TakesGPUs reports whether GPUs can be added to a machine of a type that has none itself: Google's N1, including
// custom ones (Compute Engine, "GPU machine types"). Its bill has them on separate lines.
func TakesGPUs(name string) bool {
	name = fold(name)
	return strings.HasPrefix(name, "n1") || strings.HasPrefix(name, "custom")
}

// Unknown reports whether a machine looks accelerated but is not in the catalogue at that provider: the user gets to
// see its name, and nothing is guessed.
func Unknown(provider, name string) bool {
	_, known := LookupAt(provider, name)
	return !known && AcceleratedLooking(name)
}
