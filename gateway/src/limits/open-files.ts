/** What the gateway needs beside sockets: HTTP connections, connections to services, Redis and NATS, its own files. */
const RESERVED_FILES = 7000
/** Part of the reserve that HTTP connections may take. */
const HTTP_SHARE = 5 / 7

/** How many connections the process takes, so that it never runs out of file descriptors. */
export interface ConnectionCapacity {
  sockets: number
  /** Connections beside those of sockets. */
  http: number
}

/**
 * Divides the descriptors of the process. `MAX_SOCKETS` is lowered where the limit of open files is too small for it;
 * below 14,000 descriptors half of them are reserved. `openFiles`: the limit, null where there is none.
 */
export function connectionCapacity(maxSockets: number, openFiles: number | null): ConnectionCapacity {
  if (openFiles === null) return { sockets: maxSockets, http: RESERVED_FILES * HTTP_SHARE }
  const reserved = Math.min(RESERVED_FILES, Math.floor(openFiles / 2))
  const sockets = Math.max(1, Math.min(maxSockets, openFiles - reserved))
  return { sockets, http: Math.max(1, Math.floor(reserved * HTTP_SHARE)) }
}

/** The process's limit of open files; null where there is none or the platform does not tell. */
export function openFilesLimit(): number | null {
  const { report } = process
  // The report would look up the names of all peers.
  Object.assign(report, { excludeNetwork: true })
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const soft = userLimits?.open_files?.soft
  const limit = typeof soft === 'string' ? Number(soft) : soft
  return typeof limit === 'number' && Number.isFinite(limit) ? limit : null
}
