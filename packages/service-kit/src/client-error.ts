import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@looptide/contracts/errors'

/** By Node's codes: a request that came too slowly, one whose head is too long; all else is no HTTP. */
const ANSWERS: Record<string, [ErrorCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
}
/** A peer that does not read the answer is dropped after this. */
const FAREWELL_MS = 2000
const NO_HTTP: [ErrorCode, string] = ['bad_request', 'This is not an HTTP request.']

/** Answers, in our shape, what could not be read as far as a request, and hangs up: who sent it is not followed. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [code, message] = ANSWERS[error.code ?? ''] ?? NO_HTTP
  const body: ErrorBody = { code, message, requestId: randomUUID() }
  const text = JSON.stringify(body)
  const status = ERROR_STATUS[code]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  socket.setTimeout(FAREWELL_MS, () => socket.destroy())
  socket.destroySoon()
}
