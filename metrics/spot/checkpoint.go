package spot

// CheckpointSeconds is what writing a checkpoint is taken to cost where nothing
// says more.
const CheckpointSeconds = 60
