package explain

// What tests of this room look at from outside.
var SameSlice = sameSlice
var SameText = sameText
