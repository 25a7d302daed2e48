"""The floor of a one-shot run: one request by the SDK, its text printed."""

from anthropic import Anthropic

with Anthropic().messages.stream(
    model="claude-sonnet-5", max_tokens=4096, messages=[{"role": "user", "content": "hello"}]
) as stream:
    print(stream.get_final_text())
