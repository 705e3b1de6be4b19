package explain

// Names that tests in package explain_test use.
var SameSlice = sameSlice
var SameText = sameText
