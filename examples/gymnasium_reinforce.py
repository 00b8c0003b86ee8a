"""A policy learns to beat a player of this package, with Gymnasium's vector environments and wrappers.

    python examples/gymnasium_reinforce.py --games 4000 --opponent random

The method is REINFORCE (Williams 1992): moves of a won game become more likely, moves of a lost one less likely. The
policy is a softmax over the legal actions, linear in the planes. `info["action_mask"]` says which actions are legal.
"""

import argparse

import gymnasium
import numpy as np
from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics

ENVIRONMENTS = 16
RATE = 0.05


def make(opponent, budget=None):
    """The environments side by side, with flat observations and statistics of finished games."""
    envs = gymnasium.make_vec(
        "ludus.envs.gym:ludus/tictactoe3d-v0", num_envs=ENVIRONMENTS, opponent=opponent, budget=budget
    )
    return RecordEpisodeStatistics(FlattenObservation(envs), buffer_length=1000)


def probabilities(weights, observations, masks):
    """The policy: a row of probabilities for each observation, 0 for illegal actions."""
    logits = np.where(masks, observations @ weights, -np.inf)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def train(opponent="random", *, games=4000, budget=None, seed=1, report=print):
    """Plays so many games; returns the weights and the mean reward of the last games."""
    rng = np.random.default_rng(seed)
    envs = make(opponent, budget)
    weights = np.zeros((envs.single_observation_space.shape[0], envs.single_action_space.n))
    observations, infos = envs.reset(seed=seed)
    played = [[] for _ in range(ENVIRONMENTS)]  # observation, mask, action of each move of the game under way
    begins = np.zeros(ENVIRONMENTS, bool)  # a step after the end of a game begins the next, whatever the action
    done = 0
    while done < games:
        masks = infos["action_mask"].astype(bool) | begins[:, None]  # where a game begins the action does not matter
        chances = probabilities(weights, observations, masks)
        actions = (chances.cumsum(axis=1) > rng.random((ENVIRONMENTS, 1))).argmax(axis=1)
        for i in np.flatnonzero(~begins):
            played[i].append((observations[i], masks[i], actions[i]))
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        begins = terminated | truncated
        for i in np.flatnonzero(begins):
            seen, legal, chosen = map(np.array, zip(*played[i], strict=True))
            played[i] = []
            error = np.eye(weights.shape[1])[chosen] - probabilities(weights, seen, legal)
            weights += RATE * rewards[i] * seen.T @ error
            done += 1
            if done % max(1, games // 10) == 0:
                last = envs.return_queue
                report(f"{done:6d} games: mean reward {np.mean(last):+.2f} in the last {len(last)}")
    mean = float(np.mean(envs.return_queue))
    envs.close()
    return weights, mean


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a linear policy of Tic-Tac-Toe 3D against a player.")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--budget")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.games < 1 or options.seed < 0:
        parser.error("--games is 1 or more, and --seed 0 or more")
    try:
        train(options.opponent, games=options.games, budget=options.budget, seed=options.seed)
    except ValueError as error:
        parser.error(str(error))
