"""The lab: matches between engines and what their results prove, games for data, and tuning.

`match` plays and judges games between any engines. `data`
makes, reads and writes files of games of the engine. `tune` fits the evaluation to games, and tunes by games.
"""
