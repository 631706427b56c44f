# api/params.pxi - the tunable constants of the search as a dict.
#
# Uses: search/params, api/search.

def search_parameters():
    """The constants of the search that games can tune: a dict of name -> (value, least, most).

    search/params.pxi tells their meanings and units.
    """
    return {PARAMETER[i].name.decode(): (PARAMETER[i].value[0], PARAMETER[i].least, PARAMETER[i].most)
            for i in range(N_PARAMETERS)}


def set_search_parameters(values):
    """Set some or all of search_parameters(): a dict of name -> value.

    It holds for every search of this process that begins from now on. Tables and histories of a Searcher
    come from searches before: clear() it for a fair comparison.
    ValueError for a name that does not exist or a value out of range, TypeError for one that is no
    integer, RuntimeError while a search is under way in any thread; then nothing is changed.
    """
    known = search_parameters()
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"no search parameter is called {name!r}")
        _, least, most = known[name]
        if not isinstance(value, int):
            raise TypeError(f"search parameter {name}: {value!r} is no integer")
        if not least <= value <= most:
            raise ValueError(f"search parameter {name}: {value} is not in {least} to {most}")
    if searches_running:
        raise RuntimeError("the search parameters cannot change while a search is under way")
    for i in range(N_PARAMETERS):
        PARAMETER[i].value[0] = values.get(PARAMETER[i].name.decode(), PARAMETER[i].value[0])
