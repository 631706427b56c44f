# api/context.pxi - Context: the numbers that a search goes by, as a Python object, and the one of the shipped numbers.
#
# Uses: search/context, eval/classic/shipped, api/network, api/tables.

cdef int put_weights(Classic* classic, bytes weights) except -1:
    cdef const int16_t* numbers = <const int16_t*>PyBytes_AS_STRING(weights)
    cdef int i
    if len(weights) != sizeof(classic.weights):
        raise ValueError(f"weights must be {sizeof(classic.weights)} bytes, not {len(weights)}")
    for i in range(2 * WEIGHTS):
        if not -WEIGHT_LIMIT <= numbers[i] <= WEIGHT_LIMIT:
            raise ValueError(f"a weight must be -{WEIGHT_LIMIT}..{WEIGHT_LIMIT}, but number {i} is {numbers[i]}")
    fill_classic(classic, numbers)
    return 0


cdef inline int* parameter_values(Parameters* parameters) noexcept:
    """Their values in the order of PARAMETER."""
    return <int*>parameters


cdef int put_parameters(Parameters* parameters, object values) except -1:
    cdef int i
    known = {PARAMETER[i].name.decode(): i for i in range(N_PARAMETERS)}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"no search parameter is called {name!r}")
        i = known[name]
        parameter_values(parameters)[i] = within(f"search parameter {name}", value, PARAMETER[i].min, PARAMETER[i].max)
    return 0


@cython.final
cdef class Context:
    """The numbers that a search goes by: network, weights of the classical evaluation, constants.

    A context never changes, so searches with different ones may run beside each other. weights: bytes in
    the form of `weights`. parameters: a dict of name -> value with some of search_parameters().
    network: None for the classical evaluation. What is not given is as shipped; but with weights and
    without a network the classical evaluation counts. ValueError for a name that does not exist or a
    value out of range, TypeError for a parameter that is no integer.

    >>> Context(parameters={"lmr_base": 700}).parameters["lmr_base"]
    700
    """
    cdef SearchContext numbers
    cdef readonly Network network        #: or None: the classical evaluation counts

    def __cinit__(self, *, bytes weights=None, parameters=None, network=...):
        cdef int i
        shipped_tables()                         # every evaluation needs them
        for i in range(N_PARAMETERS):
            parameter_values(&self.numbers.params)[i] = PARAMETER[i].value
        put_parameters(&self.numbers.params, parameters or {})
        put_weights(&self.numbers.model.classic, shipped_weights() if weights is None else weights)
        if network is ...:
            network = shipped_network() if weights is None else None
        self.network = network
        if network is not None:
            self.numbers.model.network = &self.network.net

    @property
    def weights(self):
        """The numbers of WEIGHT_TABLES for the middlegame, then for the endgame, 16 bits each."""
        return PyBytes_FromStringAndSize(
            <char*>self.numbers.model.classic.weights, sizeof(self.numbers.model.classic.weights))

    @property
    def parameters(self):
        """The constants of the search: a new dict of name -> value."""
        cdef int i
        return {PARAMETER[i].name.decode(): parameter_values(&self.numbers.params)[i] for i in range(N_PARAMETERS)}

    def __reduce__(self):
        return _rebuild_context, (self.weights, self.parameters, self.network)


def _rebuild_context(weights, parameters, network):
    """Unpickle a context."""
    return Context(weights=weights, parameters=parameters, network=network)


def shipped_weights():
    """The weights that the engine comes with, as Context.weights gives them."""
    return PyBytes_FromStringAndSize(<const char*>SHIPPED, sizeof(SHIPPED))


cdef Context _default = None         # made when first asked for: reading the network takes time; it never changes


cdef Context chosen_context(Context context):
    return default_context() if context is None else context


def default_context():
    """The shipped network, weights and constants: what a search uses that is given no context."""
    global _default
    if _default is None:
        _default = Context()
    return _default


def search_parameters():
    """The constants of the search that games can tune: a dict of name -> (value, min, max).

    The values are the shipped ones. search/parameters.txt has their meanings and units.
    """
    cdef int i
    return {PARAMETER[i].name.decode(): (PARAMETER[i].value, PARAMETER[i].min, PARAMETER[i].max)
            for i in range(N_PARAMETERS)}
