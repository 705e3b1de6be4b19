package catalog

// platform is the platform that software for a card is built for: other cards do not run it unchanged.
type platform int

const (
	_         platform = iota
	cuda               // Turing and later, on x86
	cudaOnArm          // the machine has another processor
	oldCUDA            // before Turing: CUDA 13 dropped them (release notes, 1.3)
	rocm
)

// RunsOn reports whether software for cards of one model runs on another unchanged; false for models that are not in
// the table.
func RunsOn(model, other string) bool {
	from, to := platformOf(model), platformOf(other)
	return from != 0 && (from == to || from == oldCUDA && to == cuda)
}

func platformOf(model string) platform {
	for _, m := range models {
		if m.model == model {
			return m.platform
		}
	}
	return 0
}
