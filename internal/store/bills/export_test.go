package bills

// What tests of this room look at from outside.
const LLMBatch = llmBatch
const MaxItemBytes = maxItemBytes
const MaxTagBytes = maxTagBytes
const OwnTable = ownTable
