"""The lab: matches between engines, and what their results prove.

`game` plays one game, `match` many, `stats` judges them; `player` and `spec` say who plays.
"""
