"""The board in the browser: what `eleengine board` serves.

The truth is here: boards, legality, notation, files, trees and engines. The page draws what it is told and
sends intentions, as JSON over one WebSocket.

    app         the web application: static files, security, the socket
    connection  one page: its messages and what it is told
    document    a game tree that pages look at, saved after each change
    play        a game on a document: players, clocks, draws, the end
    pool        engines shared by all pages
    puzzles     the puzzles of the project, tried on a document
    review      a game judged move by move
    files       records in and out
    describe    positions, moves, scores and verdicts as data for the page
    store       where documents are kept
    page/       HTML, style and modules of the page

It needs the extra ``board`` (starlette, uvicorn, websockets), which nothing else imports.
"""
