/* eleengine.exe: starts the Python that lies in its own folder, with the package eleengine.

   What is in lib/ is listed in lib/files.txt, one "CRC-32 size path" a line. A GUI shows no more than that an
   engine does not answer; so a file that is missing or damaged is named, on stdout as UCCI and UCI have it and on
   stderr. Python's library is loaded by name for that reason, too: Windows itself would stop before main.

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

/* what is wrong with this file of ours; -1 is the exit status to come */
static int complain(const char *what, const char *file) {
    if (!is_console(STD_OUTPUT_HANDLE)) {
        printf("info string error %s: %s; unpack the whole archive again\r\n", what, file);
        fflush(stdout);
    }
    fprintf(stderr, "eleengine: %s: %s; unpack the whole archive again\r\n", what, file);
    fflush(stderr);
    DWORD others[2];
    if (is_console(STD_ERROR_HANDLE) && GetConsoleProcessList(others, 2) == 1) {  /* its window closes with us */
        fprintf(stderr, "Press Enter.");
        getchar();
    }
    return BROKEN;
}

static unsigned crc32_of(FILE *file) {
    static unsigned table[256];
    static unsigned char block[1 << 16];
    unsigned crc = ~0u;
    for (unsigned i = 0; i < 256; i++) {
        unsigned entry = i;
        for (int bit = 0; bit < 8; bit++)
            entry = entry >> 1 ^ (entry & 1 ? 0xEDB88320u : 0);
        table[i] = entry;
    }
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0; )
        for (size_t i = 0; i < n; i++)
            crc = crc >> 8 ^ table[(crc ^ block[i]) & 255];
    return ~crc;
}

/* Are all files there, and of the right size? With thorough also: is what they hold right? 0 or the exit status. */
static int check_files(int thorough) {
    static wchar_t path[LONGEST], name[LONGEST];
    char line[1024], *file;
    unsigned crc;
    unsigned long long size;
    int at, status = 0;
    FILE *list = _wfopen(inside(L"lib\\files.txt", path), L"rb");
    if (list == NULL)
        return complain("missing file", "lib\\files.txt");
    while (!status && fgets(line, sizeof line, list) != NULL) {
        line[strcspn(line, "\r\n")] = 0;
        if (sscanf(line, "%x %llu %n", &crc, &size, &at) != 2) {
            status = complain("damaged file", "lib\\files.txt");
            break;
        }
        file = line + at;
        MultiByteToWideChar(CP_UTF8, 0, file, -1, name, LONGEST);
        WIN32_FILE_ATTRIBUTE_DATA facts;
        if (!GetFileAttributesExW(inside(name, path), GetFileExInfoStandard, &facts))
            status = complain("missing file", file);
        else if (((unsigned long long)facts.nFileSizeHigh << 32 | facts.nFileSizeLow) != size)
            status = complain("damaged file", file);
        else if (thorough) {
            FILE *opened = _wfopen(path, L"rb");
            if (opened == NULL)
                status = complain("unreadable file", file);
            else {
                if (crc32_of(opened) != crc)
                    status = complain("damaged file", file);
                fclose(opened);
            }
        }
    }
    fclose(list);
    return status;
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

    int status = check_files(0);
    if (status)
        return status;
    PyStatus started;
    if (!load_python() || p_PyStatus_Exception(started = start_python(argc, argv, program))) {
        status = check_files(1);
        return status ? status : complain("cannot start Python", PYTHON_DLL);
    }
    status = p_Py_RunMain();
    return status == 1 ? (check_files(1), status) : status;
}
