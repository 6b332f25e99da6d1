import { AppError } from '@looptide/service-kit/http/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPlainTarget, namesOneHost } from './request-target.ts'

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
