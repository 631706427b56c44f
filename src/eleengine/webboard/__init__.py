"""The board in the browser: what `eleengine board` serves.

Boards, legality, notation, files, trees and engines are the server's. The page draws what it is sent and
sends requests, as JSON over one WebSocket.

    app         the web application: static files, security, the socket
    workspace   what all pages share: documents, engines, options, limits
    connection  one page: its requests and answers
    document    a game tree that pages show and change, saved after each change
    live_game   a game on a document: players, clocks, draws, the end
    pool        engines shared by all pages
    puzzles     the puzzles of the project, tried on a document
    coach       moves judged by the searches of the pool
    files       records in and out
    page_data   positions, moves, scores and verdicts as data for the page
    store       the folder of documents
    errors      the error of a request
    page/       HTML, style and modules of the page

It needs the extra ``board`` (starlette, uvicorn, websockets), which nothing else imports.
"""
