#pragma once
#include <crypt.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

/// Declared here because glibc hides it unless `_GNU_SOURCE` is set, and Swift does not set it.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
