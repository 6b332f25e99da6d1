import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@looptide/contracts/errors'

/** Responses by Node's error code. Any other code means that the data is not valid HTTP. */
const RESPONSES: Record<string, [ErrorCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
}
/** The socket of a client that does not read the response is destroyed after this time, in ms. */
const CLOSE_TIMEOUT_MS = 2000
const INVALID_HTTP: [ErrorCode, string] = ['bad_request', 'This is not an HTTP request.']

/** Responds to data that could not be parsed as a request, in the usual error format, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // The handshake failed, so nothing can be sent.
  if (error.code?.startsWith('ERR_SSL') === true) {
    socket.destroy()
    return
  }
  const [code, message] = RESPONSES[error.code ?? ''] ?? INVALID_HTTP
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
  socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy())
  socket.destroySoon()
}
