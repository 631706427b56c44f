"""What the environments of PettingZoo and Gymnasium share: spaces, observations, results."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from gymnasium import spaces

from .. import svg
from .._core import check_color
from .._internal.extras import install_hint
from ..board import Board
from ..pieces import RED, Color
from .positions import PLANES, POLICY_SIZE, Array, Positions

AGENTS = ("red", "black")
RENDER_MODES = ["ansi", "human", "rgb_array"]  # Gymnasium and PettingZoo want a list


def observation_space() -> spaces.Dict:
    """Planes of `Positions.planes`, and the mask of legal moves."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (len(PLANES), 10, 9), np.uint8),
            "action_mask": spaces.Box(0, 1, (POLICY_SIZE,), np.int8),
        }
    )


def action_space() -> spaces.Discrete:
    """The numbers of `policy_index`."""
    return spaces.Discrete(POLICY_SIZE)


def observe(board: Board, color: Color) -> dict[str, Array]:
    """What the side sees; moves are legal for the side to move only."""
    color = check_color(color)
    planes = Positions([board]).planes()[0]  # as the side to move sees them
    if color != board.turn:
        planes = np.concatenate([planes[7:], planes[:7]])[:, ::-1]
    mask = np.zeros(POLICY_SIZE, np.int8)
    if color == board.turn and not board.is_game_over():
        mask = Positions([board]).legal_moves()[0].astype(np.int8)
    return {"observation": np.ascontiguousarray(planes), "action_mask": mask}


def color_of(agent: str) -> Color:
    """RED or BLACK; ValueError for another name."""
    if agent not in AGENTS:
        raise ValueError(f"an agent is red or black, not {agent!r}")
    return (agent == "red") == RED


def render(board: Board, mode: str | None) -> Any:
    """The board: as text for "ansi", printed for "human", height x width x 3 of uint8 for "rgb_array"."""
    if mode == "rgb_array":
        return picture(board)
    text = board.text(last_move=board.peek() if board.ply else None)
    if mode == "human":
        print(text)
        return None
    return text if mode == "ansi" else None


def picture(board: Board) -> Array:
    """The board as height x width x 3 of uint8; needs the extra gif."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"pictures need pillow: {install_hint('gif')}", name="PIL") from None
    png = svg.png(svg.board(board, size=360, last_move=board.peek() if board.ply else None))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
