package facts

// What tests of this room look at from outside.
const FigureEdge = figureEdge

var NewFigureWriter = newFigureWriter
