import { connect } from 'node:net'

/** Host and port of clamd. */
export interface ScannerAddress {
  host: string
  port: number
}

const DEFAULT_PORT = 3310
const MAX_REPLY_BYTES = 1024

/** The address in a URL such as `tcp://clamav:3310`. Throws for another scheme, and for a URL with more than an address. */
export function scannerAddress(text: string): ScannerAddress {
  const { protocol, hostname, port, href } = new URL(text)
  if (protocol !== 'tcp:' || hostname === '' || !/^tcp:\/\/[^/@?#]+\/?$/.test(href))
    throw new Error('must be tcp://<host>:<port>')
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? DEFAULT_PORT : Number(port) }
}

/**
 * Sends `bytes` to clamd (command `INSTREAM`) and returns the name of the signature that matches; undefined if none does.
 * Rejects when clamd cannot be reached, answers with an error, or `signal` aborts first. Own, because `clamdjs` never
 * ends if clamd accepts a connection and stays silent, and `clamscan` has only a timeout for idle sockets.
 */
export async function findMalware(
  { host, port }: ScannerAddress,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const socket = connect({ host, port, signal })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  // One chunk with its length, then a chunk of length 0, which ends the stream.
  for (const part of ['zINSTREAM\0', length, bytes, Buffer.alloc(4)]) socket.write(part)
  let reply = ''
  // Leaving the loop destroys the socket.
  for await (const chunk of socket.setEncoding('latin1')) {
    reply += String(chunk)
    if (reply.length > MAX_REPLY_BYTES) throw new Error('clamd sent a reply of unexpected length')
  }
  const [isReply, signature] = /^stream: (?:OK|(.+) FOUND)\0$/.exec(reply) ?? []
  if (isReply === undefined) throw new Error(`clamd replied: ${reply.replace(/\0$/, '')}`)
  return signature
}
