# api/certain_draws.pxi - tables whose draws are draws under every rule of repetition.
#
# Where one side has guards only, it cannot check, and the other side cannot lose. Where both can attack, a draw may
# rest on perpetual checks or chases: tables/perpetual found none in the tables listed here.

_CERTAIN_DRAWS = frozenset("""
    C-C C-N C-P N-N N-P P-P R-C R-P C-NA C-NB C-PA C-PB CA-C CA-P CB-C CB-N CB-P N-PA N-PB NA-N NA-P NB-N NB-P
    PA-P PB-P R-CB R-PA R-PB RA-C RB-C RB-P C-PAA C-PBB CAA-P CBB-P N-PAA N-PBB NBB-P PAA-P PBB-P R-PAA R-PBB
    RBB-P
""".split())


def draws_are_certain(str name not None):
    """Whether all draws of a table are draws under every rule of repetition, by `tables check --repetition`."""
    return any(not side.strip("AB") for side in name.split("-")) or name in _CERTAIN_DRAWS
