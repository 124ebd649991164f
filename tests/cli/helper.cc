// The library of needs_help.cc, whole or without its function.
int Help(int status);
#ifndef WITHOUT_HELP
int Help(int status) { return status; }
#endif
