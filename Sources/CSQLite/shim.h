#pragma once
#include <sqlite3.h>

/// Declared here because glibc hides it unless `_GNU_SOURCE` is set, and Swift does not set it.
int renameat2(int folder, const char *path, int new_folder, const char *new_path, unsigned flags);

/// Turns off the counting of memory, which takes a lock with every allocation.
static inline int goalpost_sqlite3_no_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Sets a yes-or-no option of a connection. Functions with a variable number of arguments are
/// not seen by Swift, hence this.
static inline int goalpost_sqlite3_db_config(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
