import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Client, errors as undiciErrors } from 'undici'
import { isAllowedAddress, isInNetworks } from './allowed-address.ts'

/** Time for the whole request: look-up, connection and answer, in ms. */
const TIMEOUT_MS = 10_000
/** Maximum bytes of an answer that are read. */
export const MAX_ANSWER_BYTES = 65_536

/** Ports from 1024 on that other protocols use, which read a request as commands (Fetch standard, “port blocking”). */
const OTHER_PROTOCOLS = [
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6679, 6697, 10_080],
]

/** The target is not allowed. A retry is refused as well. */
export class RefusedTargetError extends Error {
  override readonly name = 'RefusedTargetError'
}

/** What the other side answered. `text` has at most {@link MAX_ANSWER_BYTES}. */
interface OutboundAnswer {
  status: number
  retryAfter: string | undefined
  text: string
}

export interface OutboundOptions {
  /** Networks in CIDR notation to which requests may be sent although they are not of the internet. */
  allowedNetworks: readonly string[]
  /** Whether `http:` is allowed: only for development. */
  allowsHttp: boolean
  /** The station's URL. No request is sent to its host or to an address of its host. */
  siteUrl: string
  /** All addresses of a name. Default: the name servers of the machine. */
  resolve?: (name: string) => Promise<string[]>
  timeoutMs?: number
}

/**
 * Sends requests to URLs that users have entered. No such URL reaches the private network: every address of the host is
 * checked, and the connection is made to an address that was checked, so that a second answer of a name server has no
 * effect (DNS rebinding). Redirects are not followed, proxies of the environment are not used, and nothing is sent but the
 * given headers. Time and bytes of an answer are limited.
 */
export class OutboundRequests {
  readonly #options: OutboundOptions

  constructor(options: OutboundOptions) {
    this.#options = options
  }

  /** Why no request may be sent to this URL, as a sentence for the user who entered it; undefined if one may be sent. */
  faultOf(text: string): string | undefined {
    if (!URL.canParse(text)) return 'Enter a complete address, such as https://example.com/hook.'
    // The parser turns every notation of an IPv4 address (decimal, octal, hexadecimal, short) into four numbers.
    const url = new URL(text)
    const { allowsHttp } = this.#options
    if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:'))
      return 'The address must start with https://.'
    if (url.username !== '' || url.password !== '')
      return 'The address must not contain a user name or password.'
    if (!isAllowedPort(url)) return 'This port cannot be used.'
    const host = hostOf(url)
    if (isIP(host) === 0) return host.toLowerCase() === this.#stationHost() ? OF_STATION : undefined
    return this.#allows(host) ? undefined : NOT_PUBLIC
  }

  /**
   * Posts a text or bytes. Throws a {@link RefusedTargetError} if the URL or an address of its host is not allowed, and the errors
   * of the connection.
   */
  async post(
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
  ): Promise<OutboundAnswer> {
    const fault = this.faultOf(target)
    if (fault !== undefined) throw new RefusedTargetError(fault)
    const url = new URL(target)
    const timeout = this.#options.timeoutMs ?? TIMEOUT_MS
    const signal = AbortSignal.timeout(timeout)
    const host = hostOf(url)
    // Connections to an address look nothing up.
    if (isIP(host) !== 0) await this.#requireAllowed([host])
    const connect = { lookup: this.#lookup, timeout }
    // A client of its own for each request: none gets a connection whose address was checked for another one.
    const client = new Client(url.origin, { connect, pipelining: 0, allowH2: false })
    try {
      const path = url.pathname + url.search
      const answer = await client.request({ method: 'POST', path, headers, body, signal })
      const retryAfter = answer.headers['retry-after']
      return {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        text: await startOf(answer.body),
      }
    } finally {
      client.destroy().catch(() => undefined)
    }
  }

  /** Resolves a host once, for the connection that is made to the result. */
  readonly #lookup: LookupFunction = (host, options, callback) => {
    this.#resolve(host)
      .then(async (addresses) => {
        await this.#requireAllowed(addresses)
        const [first = ''] = addresses
        if (options.all === true) callback(null, addresses.map(withFamily))
        else callback(null, first, isIP(first))
      })
      .catch((error: Error) => callback(error, '', 0))
  }

  /** Throws a {@link RefusedTargetError} unless a connection may be made to each of the addresses of a host. */
  async #requireAllowed(addresses: readonly string[]): Promise<void> {
    const { allowedNetworks } = this.#options
    if (!addresses.every((address) => this.#allows(address))) throw new RefusedTargetError(NOT_PUBLIC)
    const host = this.#stationHost()
    if (isIP(host) !== 0 || addresses.every((address) => isInNetworks(address, allowedNetworks))) return
    // Without an answer, the station's name leads nowhere from here.
    const own = await this.#resolve(host).catch(() => [])
    if (!addresses.every((address) => isAllowedAddress(address, allowedNetworks, own)))
      throw new RefusedTargetError(OF_STATION)
  }

  #allows(address: string): boolean {
    const host = this.#stationHost()
    return isAllowedAddress(address, this.#options.allowedNetworks, isIP(host) === 0 ? [] : [host])
  }

  #stationHost(): string {
    return hostOf(new URL(this.#options.siteUrl))
  }

  #resolve(name: string): Promise<string[]> {
    return (this.#options.resolve ?? addressesOf)(name)
  }
}

const NOT_PUBLIC = 'The address is not one of the internet.'
const OF_STATION = 'This is the address of the station.'

const withFamily = (address: string) => ({ address, family: isIP(address) })

/** The host without the brackets of an IPv6 address and the dot at the end of a complete name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function isAllowedPort({ port, protocol }: URL): boolean {
  if (port === '') return true
  const number = Number(port)
  if (number === 443 || (number === 80 && protocol === 'http:')) return true
  return number >= 1024 && !OTHER_PROTOCOLS.includes(number)
}

/**
 * The addresses of a name, of the name servers alone: the system's own look-up (`getaddrinfo`) occupies one of the few
 * threads of the process until a slow name server answers, adds search domains, and reads `/etc/hosts`.
 */
async function addressesOf(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  throw Object.assign(new Error('the host has no address'), { code: 'ENOTFOUND' })
}

/** The start of a body as text. What comes after it is not read. */
async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= MAX_ANSWER_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8')
}

/** A failed request as a sentence for the user who entered the URL. Contains no part of the URL. */
export function describeFailure(error: unknown): string {
  if (error instanceof RefusedTargetError) return error.message
  if (!(error instanceof Error)) return 'The request failed.'
  const code = codeOf(error)
  if (error.name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return 'No complete answer within 10 seconds.'
  if (code === 'ENOTFOUND') return 'The host was not found.'
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return `No secure connection (${code}).`
  if (error instanceof undiciErrors.HTTPParserError) return 'The answer is not HTTP.'
  return code === '' ? 'The connection failed.' : `The connection failed (${code}).`
}

function codeOf(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error
  return inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : ''
}
