"""Registers the environment with Gymnasium, which calls `register` by an entry point; nothing is imported."""


def register() -> None:
    """Let gymnasium.make know "eleengine/Xiangqi-v0"."""
    from gymnasium.envs.registration import register, registry

    if "eleengine/Xiangqi-v0" not in registry:
        register("eleengine/Xiangqi-v0", entry_point="eleengine.ml.gymnasium:XiangqiEnv")
