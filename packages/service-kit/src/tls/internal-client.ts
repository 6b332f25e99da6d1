import type { InternalTls, TlsFiles } from './internal-tls.ts'

let current: InternalTls | undefined

/** Sets the certificate and the authorities of every internal client of this Node process; undefined for none. */
export function useInternalTls(tls: InternalTls | undefined): void {
  current = tls
}

/**
 * Reads a certificate and uses it for every internal client of this Node process. A process without one loads no TLS.
 *
 * @throws Error that names the setting, when a file cannot be used
 */
export async function loadInternalTls(files: TlsFiles): Promise<InternalTls> {
  const { InternalTls } = await import('./internal-tls.ts')
  current = new InternalTls(files)
  return current
}

/** Undefined if connections between processes are not encrypted. */
export const internalTls = (): InternalTls | undefined => current

/**
 * `fetch` for requests to other processes of the station. With the settings `INTERNAL_TLS_*` it trusts their authorities
 * only, and presents this process's certificate.
 */
export const internalFetch = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, current === undefined ? init : withDispatcher(init, current))

/** `dispatcher` is an option of Node that the types of browsers do not have. */
const withDispatcher = (init: RequestInit, { dispatcher }: InternalTls): RequestInit =>
  Object.assign({}, init, { dispatcher })
