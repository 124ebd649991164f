// There is nothing to compare.
