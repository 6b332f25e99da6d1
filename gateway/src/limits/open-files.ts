/** Descriptors reserved for everything but sockets: HTTP connections, connections to services, Redis and NATS, files. */
const RESERVED_FILES = 7000
/** Share of the reserve for HTTP connections. */
const HTTP_SHARE = 5 / 7

/** Number of connections that the process accepts without running out of file descriptors. */
export interface ConnectionCapacity {
  sockets: number
  /** HTTP connections, in addition to sockets. */
  http: number
}

/**
 * Divides the file descriptors of the process. `MAX_SOCKETS` is lowered if the limit of open files is too small for it.
 * Below 14,000 descriptors, half of them are reserved. `openFiles`: the limit; null without one.
 */
export function connectionCapacity(maxSockets: number, openFiles: number | null): ConnectionCapacity {
  if (openFiles === null) return { sockets: maxSockets, http: RESERVED_FILES * HTTP_SHARE }
  const reserved = Math.min(RESERVED_FILES, Math.floor(openFiles / 2))
  const sockets = Math.max(1, Math.min(maxSockets, openFiles - reserved))
  return { sockets, http: Math.max(1, Math.floor(reserved * HTTP_SHARE)) }
}

/** The process's limit of open files; null if there is none or it is unknown. */
export function openFilesLimit(): number | null {
  const { report } = process
  // Without this, the report resolves the host names of all peers.
  Object.assign(report, { excludeNetwork: true })
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const soft = userLimits?.open_files?.soft
  const limit = typeof soft === 'string' ? Number(soft) : soft
  return typeof limit === 'number' && Number.isFinite(limit) ? limit : null
}
