import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'

const compress = promisify(gzip)

/** A text to be sent to many, with its ETag and, once somebody wants it, its compressed form. */
export interface CachedText {
  body: string
  etag: string
  gzipped(): Promise<Buffer>
}

/** Below this (characters) compressing is not worth the way. */
const WORTH_COMPRESSING = 1400
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/

export function cachedText(body: string, etag: string): CachedText {
  let zipped: Promise<Buffer> | undefined
  return {
    body,
    etag,
    gzipped: () => {
      zipped ??= compress(body)
      return zipped
    },
  }
}

/** Sends a text, compressed if the client takes that, or 304 when it has it. */
export async function sendCachedText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: CachedText,
  contentType: string,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding')
  if (isNotModified(request, reply, text.etag)) return reply.send()
  reply.type(contentType)
  if (!willCompress(request, text.body)) return reply.send(text.body)
  return reply.header('content-encoding', 'gzip').send(await text.gzipped())
}

/** Whether a text goes out compressed: its client takes that, and it is worth the while. */
export function willCompress(request: FastifyRequest, body: string): boolean {
  if (body.length < WORTH_COMPRESSING) return false
  return TAKES_GZIP.test(String(request.headers['accept-encoding'] ?? ''))
}
