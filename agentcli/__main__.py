"""The entry point of `agentcli` and `python -m agentcli`."""


def main() -> None:
    """Run the command line."""


if __name__ == "__main__":
    main()
