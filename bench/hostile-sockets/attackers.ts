/**
 * The attackers of bench/hostile-sockets.ts, in their own process: sockets that each send large heartbeats with
 * nested arrays as fast as they are accepted. One command, `{ port, sockets, forMs, again }`, is one attack; the
 * answer says how each socket was closed.
 */
import { connect, type Socket } from 'node:net'
import { FrameReader, handshake } from '../sockets/wire.ts'

export interface Attack {
  port: number
  sockets: number
  /** Duration, in ms. */
  forMs: number
  /** Reopen each closed socket at once. */
  again: boolean
}

export interface AttackResult {
  /** Time from the first frame to the close of each socket, in ms. */
  closedAfterMs: number[]
  /** Sockets by close code; 1006 for a connection that ended without one. */
  codes: Record<string, number>
  /** Sockets that were open at the end. */
  open: number
  sentBytes: number
}

const FRAMES = 290
const FRAME_BYTES = 1_000_000

/** A masked heartbeat of a megabyte whose payload is arrays nested forty deep. */
function heartbeat(): Buffer {
  const nested = `${'['.repeat(40)}${']'.repeat(40)}`
  const count = Math.floor((FRAME_BYTES - 60) / (nested.length + 1))
  const payload = `[null,"1","phoenix","heartbeat",{"a":[${Array.from({ length: count }, () => nested).join(',')}]}]`
  const bytes = Buffer.from(payload)
  const head = Buffer.alloc(14)
  head.set([0x81, 0x80 | 127])
  head.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([head, bytes])
}

const FRAME = heartbeat()

async function attack({ port, sockets, forMs, again }: Attack): Promise<AttackResult> {
  const result: AttackResult = { closedAfterMs: [], codes: {}, open: 0, sentBytes: 0 }
  const open = new Set<Socket>()
  const endsAtMs = performance.now() + forMs
  const start = (): void => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(handshake(port)))
    open.add(socket)
    let startedAtMs = 0
    let code = 1006
    const reader = new FrameReader(
      () => undefined,
      (payload) => {
        code = payload.readUInt16BE(0)
      },
    )
    const flood = (): void => {
      let left = FRAMES
      const send = (): void => {
        while (left > 0 && !socket.destroyed) {
          left -= 1
          if (!socket.write(FRAME)) break
        }
      }
      socket.on('drain', send)
      send()
    }
    socket.once('data', (chunk) => {
      startedAtMs = performance.now()
      socket.on('data', (data) => reader.read(data))
      const rest = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4)
      if (rest.length > 0) reader.read(rest)
      flood()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      result.sentBytes += socket.bytesWritten
      if (performance.now() > endsAtMs) return
      result.closedAfterMs.push(performance.now() - startedAtMs)
      result.codes[code] = (result.codes[code] ?? 0) + 1
      if (again) start()
    })
  }
  for (let n = 0; n < sockets; n += 1) start()
  await new Promise((resolve) => setTimeout(resolve, forMs))
  result.open = open.size
  for (const socket of open) socket.destroy()
  return result
}

process.on('message', (command: Attack) => {
  void attack(command).then((result) => process.send?.(result))
})
process.send?.('ready')
