"""The lab: matches between engines and what their results prove, games for data, and tuning.

`jobs` does long work, here or on many machines. `match` plays and judges games between any engines. `data`
makes, reads and writes files of games of the engine. `tune` fits the evaluation to games, and tunes by games.
"""
