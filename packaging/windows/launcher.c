/* eleengine.exe: starts the Python that lies in its own folder, with the package eleengine.

   What is in lib/ is listed in lib/files.txt, one "CRC-32 size path" a line. A GUI shows no more than that an
   engine does not answer; so a file that is missing or damaged is named, on stdout as UCCI and UCI have it and on
   stderr, before anything else is done: what a damaged library would do cannot be known. Python's library is loaded by name for that reason, too: Windows
   itself would stop before main.

   With -DPLAIN_PYTHON it is a python.exe with the same library and more in site/, for running tests. */

#define WIN32_LEAN_AND_MEAN
#include <Python.h>
#include <windows.h>
#include <stdio.h>

#define WIDE_(text) L##text
#define WIDE(text) WIDE_(text)
#define TEXT_(number) #number
#define DIGITS(number) TEXT_(number)
#define PYTHON_DLL "python" DIGITS(PY_MAJOR_VERSION) DIGITS(PY_MINOR_VERSION) ".dll"

enum { BROKEN = 3, LONGEST = 32768 };

static wchar_t folder[LONGEST];

/* folder\name; the caller has the buffer */
static const wchar_t *inside(const wchar_t *name, wchar_t *path) {
    _snwprintf(path, LONGEST, L"%ls\\%ls", folder, name);
    path[LONGEST - 1] = 0;
    return path;
}

static int is_console(DWORD which) {
    DWORD mode;
    return GetConsoleMode(GetStdHandle(which), &mode) != 0;
}

/* What to do where a file is missing or damaged, where others may hold it, and where nobody can know. */
#define UNPACK "unpack the whole archive again"
#define ALLOW "let your antivirus program allow this folder, or unpack the whole archive again"
#define REPORT "please report it, with the version of Windows"

/* Tell what is wrong with which file, and what to do; returns the exit status. */
static int complain(const char *what, const char *file, const char *advice) {
    if (!is_console(STD_OUTPUT_HANDLE)) {
        printf("info string error %s: %s; %s\r\n", what, file, advice);
        fflush(stdout);
    }
    fprintf(stderr, "eleengine: %s: %s; %s\r\n", what, file, advice);
    fflush(stderr);
    DWORD others[2];
    if (is_console(STD_ERROR_HANDLE) && GetConsoleProcessList(others, 2) == 1) {  /* its window closes with us */
        fprintf(stderr, "Press Enter.");
        getchar();
    }
    return BROKEN;
}

static unsigned crc_table[8][256];

static void fill_crc_table(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned entry = i;
        for (int bit = 0; bit < 8; bit++)
            entry = entry >> 1 ^ (entry & 1 ? 0xEDB88320u : 0);
        crc_table[0][i] = entry;
    }
    for (unsigned i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++)
            crc_table[k][i] = crc_table[k - 1][i] >> 8 ^ crc_table[0][crc_table[k - 1][i] & 255];
}

/* CRC-32 as in zip files, eight bytes at a time */
static unsigned crc32_of(const unsigned char *data, size_t size) {
    unsigned crc = ~0u;
    for (; size >= 8; data += 8, size -= 8) {
        unsigned long long word;
        memcpy(&word, data, 8);
        word ^= crc;
        crc = 0;
        for (int k = 0; k < 8; k++, word >>= 8)
            crc ^= crc_table[7 - k][word & 255];
    }
    for (; size; size--)
        crc = crc >> 8 ^ crc_table[0][(crc ^ *data++) & 255];
    return ~crc;
}

static const char UNREADABLE[] = "unreadable file";

/* What is wrong with the file, which should have this sum and size? NULL for nothing. */
static const char *fault_of(const wchar_t *path, unsigned crc, unsigned long long size) {
    const char *fault = UNREADABLE;
    LARGE_INTEGER found;
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_ACCESS_DENIED ? fault : "missing file";
    HANDLE mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    const unsigned char *data = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : NULL;
    if (GetFileSizeEx(file, &found) && (unsigned long long)found.QuadPart != size)
        fault = "damaged file";
    else if (data != NULL || size == 0)  /* nothing cannot be mapped */
        fault = crc32_of(data, size) == crc ? NULL : "damaged file";
    if (data != NULL)
        UnmapViewOfFile(data);
    if (mapping != NULL)
        CloseHandle(mapping);
    CloseHandle(file);
    return fault;
}

/* Are all files there and as they were made? It takes some milliseconds. 0 or the exit status. */
static int check_files(void) {
    static wchar_t path[LONGEST], name[LONGEST];
    char line[1024];
    const char *fault;
    unsigned crc;
    unsigned long long size;
    int at, files = 0, status = 0;
    FILE *list = _wfopen(inside(L"lib\\files.txt", path), L"rb");
    if (list == NULL)
        return complain("missing file", "lib\\files.txt", UNPACK);
    fill_crc_table();
    while (!status && fgets(line, sizeof line, list) != NULL) {
        line[strcspn(line, "\r\n")] = 0;
        if (sscanf(line, "%8x %llu %n", &crc, &size, &at) != 2) {
            status = complain("damaged file", "lib\\files.txt", UNPACK);
            break;
        }
        MultiByteToWideChar(CP_UTF8, 0, line + at, -1, name, LONGEST);
        if ((fault = fault_of(inside(name, path), crc, size)) != NULL)
            status = complain(fault, line + at, fault == UNREADABLE ? ALLOW : UNPACK);
        files++;
    }
    fclose(list);
    return status || files ? status : complain("damaged file", "lib\\files.txt", UNPACK);
}

/* the functions of Python's library that are needed */
#define FUNCTIONS(F) F(PyConfig_InitIsolatedConfig) F(PyConfig_SetString) F(PyConfig_SetArgv) F(PyConfig_Clear) \
    F(PyWideStringList_Append) F(Py_InitializeFromConfig) F(PyStatus_Exception) F(Py_RunMain)
#define DECLARE(name) static __typeof__(&name) p_##name;
FUNCTIONS(DECLARE)

static int load_python(void) {
    static wchar_t path[LONGEST];
    /* the libraries that it needs itself lie beside it */
    HMODULE python = LoadLibraryExW(inside(L"lib\\" WIDE(PYTHON_DLL), path), NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (python == NULL)
        return 0;
    #define FIND(name) p_##name = (__typeof__(&name))(void *)GetProcAddress(python, #name); if (!p_##name) return 0;
    FUNCTIONS(FIND)
    return 1;
}

static PyStatus start_python(int argc, wchar_t **argv, const wchar_t *program) {
    static wchar_t path[LONGEST];
    PyConfig config;
    PyStatus status;
    p_PyConfig_InitIsolatedConfig(&config);  /* PYTHONHOME and its like are meant for others */
    config.site_import = 0;
    config.write_bytecode = 0;
    config.module_search_paths_set = 1;
    #define DO(call) status = call; if (p_PyStatus_Exception(status)) return status
    DO(p_PyConfig_SetString(&config, &config.home, folder));
    DO(p_PyConfig_SetString(&config, &config.program_name, program));
    DO(p_PyConfig_SetString(&config, &config.executable, program));
    DO(p_PyWideStringList_Append(&config.module_search_paths, inside(L"lib\\python.zip", path)));
    DO(p_PyWideStringList_Append(&config.module_search_paths, inside(L"lib", path)));
    DO(p_PyWideStringList_Append(&config.module_search_paths, inside(L"lib\\board.zip", path)));
#ifdef PLAIN_PYTHON
    DO(p_PyWideStringList_Append(&config.module_search_paths, inside(L"site", path)));
    config.parse_argv = 1;
#else
    DO(p_PyConfig_SetString(&config, &config.run_module, L"eleengine"));
#endif
    DO(p_PyConfig_SetArgv(&config, argc, argv));
    status = p_Py_InitializeFromConfig(&config);
    p_PyConfig_Clear(&config);
    return status;
}

int wmain(int argc, wchar_t **argv) {
    static wchar_t program[LONGEST];
    GetModuleFileNameW(NULL, program, LONGEST);
    wcscpy(folder, program);
    wchar_t *end = wcsrchr(folder, L'\\');
    if (end != NULL)
        *end = 0;
    /* XQWizard gives the path alone, without quotes: its blanks are no ends of words. */
    const wchar_t *line = GetCommandLineW();
    size_t length = wcslen(program);
    if (_wcsnicmp(line, program, length) == 0 && line[length + wcsspn(line + length, L" ")] == 0)
        argc = 1;

    int status = check_files();
    if (status)
        return status;
    if (!load_python())
        return complain("Windows cannot use the library", "lib\\" PYTHON_DLL, ALLOW);
    PyStatus started = start_python(argc, argv, program);
    if (p_PyStatus_Exception(started))
        return complain("Python does not start", started.err_msg ? started.err_msg : "no reason told", REPORT);
    return p_Py_RunMain();
}
