import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { FastifyRequest } from 'fastify'
import { isPlainHttp } from '../http/require-https.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import type { Admission, SocketAdmission } from '../limits/socket-admission.ts'
import { CLOSE_REASONS } from './connection/close-reasons.ts'
import type { AcceptedSocket, SocketParams } from './connection/connection.ts'
import type { Version } from './protocol/codec.ts'

/** Takes over sockets after their handshake. */
export interface SocketAcceptor {
  /** Number of open sockets. */
  readonly size: number
  /** New sockets are refused because the gateway is shutting down. */
  readonly isDraining: boolean
  accept(socket: AcceptedSocket): void
}

export interface HandshakeOptions {
  hub: SocketAcceptor
  requireHttps: boolean
  /** Origins whose pages may open the socket, besides the page's own host. */
  allowedOrigins: readonly string[]
  /** Sockets that may be open now. */
  maxSockets: () => number
  clients: ClientReader
  /** Limits for each client network. */
  admission: SocketAdmission
}

/** State of a handshake between its hooks. */
interface Handshake {
  client: ClientNetwork
  admission: Admission
  params: SocketParams
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on WebSocket handshakes only. */
    handshake: Handshake | null
  }
}

export const WEBSOCKET_PATH = '/realtime/v1/websocket'

/** Longest API key that a socket keeps, in characters. Those of Supabase, signed tokens without a user, have about 200. */
const MAX_KEPT_KEY = 512

/** HTTP status and message of a refused handshake, sent as `{"error":"…"}`. */
export type Refusal = readonly [status: number, error: string]
export const NOT_A_HANDSHAKE: Refusal = [426, 'This endpoint accepts WebSocket connections only.']
export const TOO_MANY_HANDSHAKES: Refusal = [429, 'Too many connection attempts. Try again later.']
export const MALFORMED_TARGET: Refusal = [400, 'The request target is malformed.']
export const NOT_ONE_HOST: Refusal = [400, 'The request must have one Host header.']
export const NOT_FOUND: Refusal = [404, 'Not found.']

/** The parameters of a handshake, or why it is refused. */
export function checkHandshake(
  { handshake, raw, originalUrl }: FastifyRequest,
  { hub, requireHttps, allowedOrigins, maxSockets }: HandshakeOptions,
): SocketParams | Refusal {
  if (requireHttps && isPlainHttp(raw.headers)) return [403, 'Use wss.']
  const [, search = ''] = originalUrl.split('?', 2)
  const query = new URLSearchParams(search)
  if (new Set(query.keys()).size < query.size) return [400, 'Each query parameter may be given only once.']
  const version = parseVersion(query.get('vsn'))
  const apiKey = query.get('apikey') ?? ''
  if (apiKey === '') return [401, 'The query parameter apikey is required.']
  if (version === null) return [400, 'Unsupported vsn. Use 1.0.0 or 2.0.0.']
  if (!isAllowedOrigin(raw.headers, allowedOrigins)) return [403, 'Origin not allowed.']
  if (hub.isDraining) return [503, CLOSE_REASONS.restarting[1]]
  if (handshake?.admission === 'too many sockets') return [429, 'Too many connections from your network.']
  if (hub.size >= maxSockets()) return [429, 'Connection limit reached. Try again later.']
  return { version, apiKey: keptKey(apiKey) }
}

/** Every socket keeps its key. Those with the public one share it, and no client makes the gateway keep a long one. */
const keptKey = (apiKey: string): string =>
  apiKey === PUBLIC_API_KEY ? PUBLIC_API_KEY : apiKey.length > MAX_KEPT_KEY ? '' : apiKey

/** Clients that send no version use 1.0.0. Null for an unsupported version. */
function parseVersion(vsn: string | null): Version | null {
  if (vsn === null) return '1.0.0'
  return vsn === '1.0.0' || vsn === '2.0.0' ? vsn : null
}

/**
 * Pages of other sites must not open the socket in a visitor's browser. Programs other than browsers send no origin, and
 * hold no credentials of a visitor.
 */
function isAllowedOrigin({ origin, host }: FastifyRequest['headers'], allowed: readonly string[]): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || allowed.includes(origin)
}
