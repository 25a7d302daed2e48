"""A Messages API on this machine: deterministic, and as cheap for a long conversation as for a short one.

python benchmarks/service.py CALLS      prints its address; each conversation gets CALLS calls, then a text
"""

import asyncio
import json
import sys
from itertools import count

TEXT = "That is all there is to say about it."


def event(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def reply(number: int, *, calls: bool) -> bytes:
    usage = {"input_tokens": 10, "output_tokens": 5}
    start = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude-sonnet-5",
        "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    if calls:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": "get_total", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": "{}"}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": TEXT}
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    return b"".join(
        (
            event("message_start", {"type": "message_start", "message": start}),
            event("content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}),
            event("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
            event("content_block_stop", {"type": "content_block_stop", "index": 0}),
            event("message_delta", {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}}),
            event("message_stop", {"type": "message_stop"}),
        )
    )


async def main(calls: int) -> None:
    numbers = count(1)
    left = calls

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.lower().split(b"\r\n")
                    if line.startswith(b"content-length")
                )
                await reader.readexactly(length)
                body = reply(next(numbers), calls=left > 0)
                left = left - 1 if left > 0 else calls
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_1\r\n"
                    + f"content-length: {len(body)}\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**24)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
