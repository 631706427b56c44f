# search/context.pxi - the numbers that a search goes by.
#
# Uses: search/parameters, eval/evaluate.
# They never change once they are filled in, so that searches with different ones can run beside each other.

cdef struct SearchContext:
    Parameters params
    Model model
