"""The board in the browser: what `eleengine board` serves.

Boards, legality, notation, files, trees and engines are the server's. The page draws what it is sent and
sends requests, as JSON over one WebSocket. docs/architecture.md says what each module does.

It needs the extra ``board`` (starlette, uvicorn, websockets), which nothing else imports.
"""
