"""The floor of the prompt: prompt-toolkit and nothing else."""

from prompt_toolkit import PromptSession

PromptSession().prompt("> ")
