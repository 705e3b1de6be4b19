package catalog

// platform is what software for a card is built for: other cards do not run it
// as it is.
type platform int

const (
	_         platform = iota
	cuda               // Turing and later, on x86
	cudaOnArm          // the machine has another processor
	oldCUDA            // before Turing: CUDA 13 has left them (release notes, 1.3)
	rocm
)

// RunsOn reports whether what runs on cards of one model runs on another as it
// is; false for models that the table does not know.
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
