/**
 * The attackers of bench/hostile-sockets.ts, in their own process: sockets of one account that each send large heartbeats
 * with nested arrays as fast as they are accepted, or that join the account's topic and stop within a message. One command, `{ port, sockets, forMs, again }`, is one attack; the
 * answer says how each socket was closed.
 */
import { connect, type Socket } from 'node:net'
import { FrameReader, handshake, joinFrame } from '../sockets/wire.ts'

export interface Attack {
  port: number
  sockets: number
  /** Duration, in ms. */
  forMs: number
  /** Reopen each closed socket at once. */
  again: boolean
  /** The account whose sockets stop within a message; absent for a flood. */
  stopping?: { userId: string; token: string }
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

/** The largest part of a message that a socket with a private topic may begin: 200 of 256 KiB, after its join. */
const STOPPED = Buffer.from(FRAME.subarray(0, 200 * 1024))
STOPPED.writeBigUInt64BE(BigInt(250 * 1024), 2)

async function attack({ port, sockets, forMs, again, stopping }: Attack): Promise<AttackResult> {
  const result: AttackResult = { closedAfterMs: [], codes: {}, open: 0, sentBytes: 0 }
  const open = new Set<Socket>()
  const endsAtMs = performance.now() + forMs
  const start = (): void => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(handshake(port)))
    open.add(socket)
    let startedAtMs = 0
    let code = 1006
    const reader = new FrameReader(
      // The first message is the answer to the join.
      () => {
        if (stopping !== undefined && startedAtMs === 0) stop()
      },
      (payload) => {
        code = payload.readUInt16BE(0)
      },
    )
    const stop = (): void => {
      startedAtMs = performance.now()
      socket.write(STOPPED)
    }
    const flood = (): void => {
      startedAtMs = performance.now()
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
      socket.on('data', (data) => reader.read(data))
      const rest = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4)
      if (rest.length > 0) reader.read(rest)
      if (stopping === undefined) flood()
      else socket.write(joinFrame('j', `realtime:user:${stopping.userId}`, stopping.token))
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
