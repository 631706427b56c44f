"""Long work: jobs here or on a cluster, and journals that survive interruptions."""
