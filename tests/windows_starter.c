/* Starts a program the way XQWizard starts engines, and passes lines on: its own stdin to the engine, what the
   engine writes to its own stdout. The engine inherits both ends of both pipes, so that it sees no end of input when
   this process is killed. At the end of its own stdin it closes its ends of the pipes, without reading, and stays
   until the engine has ended. With a second argument it ends as soon as the engine is started. */

#include <windows.h>
#include <stdio.h>

static HANDLE to_engine, from_engine;

static void check(BOOL worked, const char *what) {
    if (!worked) {
        fprintf(stderr, "starter: %s: error %lu\n", what, GetLastError());
        exit(3);
    }
}

static void copy(HANDLE source, HANDLE target) {
    char block[4096];
    DWORD count, written;
    while (ReadFile(source, block, sizeof block, &count, NULL) && count)
        if (!WriteFile(target, block, count, &written, NULL))
            return;
}

static DWORD WINAPI answers(void *unused) {
    (void)unused;
    copy(from_engine, GetStdHandle(STD_OUTPUT_HANDLE));
    return 0;
}

int wmain(int argc, wchar_t **argv) {
    SECURITY_ATTRIBUTES inheritable = {sizeof inheritable, NULL, TRUE};
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION engine;
    static wchar_t command[32768], folder[32768];

    if (argc != 2 && argc != 3)
        return 2;
    wcscpy(command, argv[1]);  /* the bare path, unquoted */
    wcscpy(folder, argv[1]);
    *wcsrchr(folder, L'\\') = 0;
    check(CreatePipe(&start.hStdInput, &to_engine, &inheritable, 0), "pipe");
    check(CreatePipe(&from_engine, &start.hStdOutput, &inheritable, 0), "pipe");
    start.hStdError = start.hStdOutput;
    check(CreateProcessW(argv[1], command, NULL, NULL, TRUE,
        DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP | IDLE_PRIORITY_CLASS, NULL, folder, &start, &engine), "start");
    if (argc == 3)
        return 0;
    CloseHandle(start.hStdInput);
    CloseHandle(start.hStdOutput);
    CreateThread(NULL, 0, answers, NULL, 0, NULL);
    copy(GetStdHandle(STD_INPUT_HANDLE), to_engine);
    CloseHandle(to_engine);
    WaitForSingleObject(engine.hProcess, INFINITE);
    DWORD status;
    GetExitCodeProcess(engine.hProcess, &status);
    return (int)status;
}
