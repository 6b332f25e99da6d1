import type { IncomingMessage } from 'node:http'
import { AppError } from '@looptide/service-kit/http/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The host of a target in absolute form, and what follows it. RFC 9110 §4.2.4 wants a target with a user name refused, and
 * none without a host exists.
 */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#\\@]+)(?![^/?#\\])(.*)$/i

/**
 * Gives a request with a target in absolute form (`GET http://host/path`) the same one in origin form, so that every reader
 * of it finds a path. Its host replaces the `Host` header (RFC 9112 §3.2.2). Other targets stay as they are.
 */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '' } = request
  if (url.startsWith('/')) return
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(url) ?? []
  if (host === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  // Without the header, the request is invalid in any form.
  if (request.headers.host !== undefined) request.headers.host = host
}

/**
 * Whether a request target is a path, with or without a query, or `*`, and has no `#` and no `\`, which RFC 9112 §3.2 does
 * not allow. URL parsers cut off at `#` and replace `\` by `/`, so the router, the cache and the services would each read a
 * different URL.
 */
export const isPlainTarget = (target: string): boolean => /^(?:\/[^#\\]*|\*)$/.test(target)

/** Whether a request names its host exactly once. HTTP/1.0 has no such rule (RFC 9112 §3.2). */
export function namesOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/**
 * Throws for a request that another parser, such as a proxy's or a service's, could read as a different one. The connection
 * ends where that concerns the end of the request or its host.
 */
export function refuseMalformed({ url, raw }: FastifyRequest, reply: FastifyReply): void {
  if (!isPlainTarget(url)) throw new AppError('bad_request', 'The request target is malformed.')
  if (!namesOneHost(raw)) {
    reply.header('connection', 'close')
    throw new AppError('bad_request', 'The request must have one Host header.')
  }
  // RFC 9112 §6.1. A service would be sent what is still encoded.
  const codings = raw.headers['transfer-encoding']
  if (codings !== undefined && codings.toLowerCase() !== 'chunked') {
    reply.header('connection', 'close')
    throw new AppError('unsupported_transfer_coding', 'The only supported transfer coding is chunked.')
  }
}
