"""The lab: matches between engines and what their results prove, games for data, and tuning.

`game` plays one game, `match` many, `stats` judges them; `player` and `spec` say who plays. `datagen` makes
files of games, `gamefile` and `gametools` read and write them, `tuning` fits the evaluation to them. `spsa`
and `genetic` tune by games, which `contest` plays; `cluster` and `run` do long runs of jobs on many machines.
"""
