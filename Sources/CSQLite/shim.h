#pragma once
#include <sqlite3.h>

/// Sets a yes-or-no option of a connection. Declared here because Swift does not import functions
/// with a variable number of arguments.
static inline int goalpost_sqlite3_db_config(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
