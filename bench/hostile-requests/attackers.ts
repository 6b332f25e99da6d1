/**
 * The attackers of bench/hostile-requests.ts, in their own process. One command, an {@link Attack}, opens connections that
 * send a text and then neither read nor continue; the answer says how many of them the station has ended.
 */
import { connect, type Socket } from 'node:net'

export interface Attack {
  port: number
  /** What each connection sends, in turn. */
  texts: readonly string[]
  connections: number
  /** Duration, in ms. */
  forMs: number
  /** New connections a second in place of the oldest; 0 for none. */
  renewed: number
}

export interface AttackResult {
  opened: number
  /** Connections that the station had ended at the end of the attack. */
  ended: number
}

/** Time in which an ended connection is noticed once it is read, in ms. */
const NOTICED_MS = 1000

async function attack({ port, texts, connections, forMs, renewed }: Attack): Promise<AttackResult> {
  const open = new Set<Socket>()
  const result: AttackResult = { opened: 0, ended: 0 }
  const start = (): void => {
    const text = texts[result.opened % texts.length] ?? ''
    result.opened += 1
    const socket = connect({ port, host: '127.0.0.1' })
    socket.pause().write(text)
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (open.delete(socket)) result.ended += 1
    })
  }
  for (let n = 0; n < connections; n += 1) start()
  const timer =
    renewed === 0
      ? undefined
      : setInterval(() => {
          for (const oldest of [...open].slice(0, Math.ceil(renewed / 10))) {
            open.delete(oldest)
            oldest.destroy()
            start()
          }
        }, 100)
  await new Promise((resolve) => setTimeout(resolve, forMs))
  clearInterval(timer)
  // The end of a connection is noticed only when it is read.
  for (const socket of open) socket.resume()
  await new Promise((resolve) => setTimeout(resolve, NOTICED_MS))
  for (const socket of open) {
    open.delete(socket)
    socket.destroy()
  }
  return result
}

process.on('message', (command: Attack) => {
  void attack(command).then((result) => process.send?.(result))
})
process.send?.('ready')
