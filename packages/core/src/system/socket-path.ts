/** Maximum bytes of a unix socket's path: with its final zero it has at most 104 bytes on macOS and 108 on Linux. */
export const MOST_SOCKET_PATH = 103;
