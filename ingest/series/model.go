package series

import "strings"

// knownModels are GPU names as the driver spells them. Exporters started with
// --replace-blanks-in-model-name write dashes for blanks; the list shows which dashes are
// original.
var knownModels = []string{
	"NVIDIA A2", "NVIDIA A10", "NVIDIA A10G", "NVIDIA A16", "NVIDIA A30", "NVIDIA A40",
	"NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-80GB",
	"NVIDIA A100-PCIE-40GB", "NVIDIA A100 80GB PCIe", "NVIDIA A100-SXM-64GB",
	"NVIDIA A800-SXM4-80GB", "NVIDIA A800 80GB PCIe",
	"NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL", "NVIDIA H100 80GB HBM2e", "NVIDIA H800", "NVIDIA H20",
	"NVIDIA H200", "NVIDIA H200 NVL", "NVIDIA GH200 480GB", "NVIDIA GH200 144G HBM3e",
	"NVIDIA B100", "NVIDIA B200", "NVIDIA B300", "NVIDIA B300 SXM6 AC", "NVIDIA GB200", "NVIDIA GB300",
	"NVIDIA L4", "NVIDIA L20", "NVIDIA L40", "NVIDIA L40S",
	"NVIDIA RTX A4000", "NVIDIA RTX A5000", "NVIDIA RTX A6000", "NVIDIA RTX 6000 Ada Generation",
	"NVIDIA RTX PRO 4500 Blackwell", "NVIDIA RTX PRO 5000 Blackwell", "NVIDIA RTX PRO 6000 Blackwell Server Edition",
	"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
	"NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 5090",
	"NVIDIA TITAN RTX", "NVIDIA TITAN V", "Quadro RTX 6000", "Quadro RTX 8000",
	"Tesla K80", "Tesla M60", "Tesla P4", "Tesla P40", "Tesla P100-PCIE-16GB", "Tesla P100-SXM2-16GB",
	"Tesla T4", "Tesla V100-PCIE-16GB", "Tesla V100-PCIE-32GB",
	"Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", "Tesla V100-SXM3-32GB",
}

var modelBySpelling = func() map[string]string {
	m := make(map[string]string, len(knownModels))
	for _, k := range knownModels {
		m[spelling(k)] = k
	}
	return m
}()

// spelling makes all spellings of one model equal.
func spelling(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), " ")
}

// ModelName returns the model as the driver spells it. For an unlisted model only the maker's
// name is separated: "NVIDIA-X9" becomes "NVIDIA X9".
func ModelName(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if k, ok := modelBySpelling[spelling(s)]; ok {
		return k
	}
	if !strings.Contains(s, " ") {
		for _, maker := range []string{"NVIDIA", "Tesla", "Quadro"} {
			if rest, ok := strings.CutPrefix(s, maker+"-"); ok && rest != "" {
				return maker + " " + rest
			}
		}
	}
	return s
}
