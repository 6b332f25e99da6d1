import { createServer, type Server } from 'node:net'
import { Failure } from './failure.ts'

// Below the range from which the kernel lends ports to outgoing connections (Linux: 32768, macOS: 49152), so
// that a server that is killed finds its port free when it comes back.
const lowest = 15_000
const blockSize = 50
const blocks = 340

/**
 * Ports that are this process's to give out. Between a port's choice and its use lie seconds, in which another
 * station that looks for one must not choose the same. So nobody chooses single ports: a process takes a block of
 * them by listening on its first, which the kernel allows once and ends with the process, however that ends.
 */
type Block = { first: number; given: number }

let block: Promise<Block> | undefined

/**
 * A TCP port on loopback that nobody listens on at this moment, and that no other process is given by this
 * function while this one lives. Each call gives another port.
 *
 * @throws Failure when all are taken
 */
export async function freePort(): Promise<number> {
  for (;;) {
    block ??= claimBlock()
    const current = block
    const mine = await current
    mine.given += 1
    if (mine.given < blockSize) {
      const port = mine.first + mine.given
      if (await isFree(port)) return port
    } else if (block === current) {
      // The claim stays: servers on ports of this block may go on for as long as this process.
      block = undefined
    }
  }
}

async function claimBlock(): Promise<Block> {
  const start = Math.floor(Math.random() * blocks)
  for (let turn = 0; turn < blocks; turn++) {
    const first = lowest + ((start + turn) % blocks) * blockSize
    const claim = await listen(first, '127.0.0.1')
    if (typeof claim === 'string') continue
    // No reason for the process to stay alive.
    claim.unref()
    return { first, given: 0 }
  }
  throw new Failure('No free port was found on this machine: stop some of the servers that run here.')
}

/** Whether a server may listen on `port`, by both of the addresses that `localhost` stands for. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const server = await listen(port, host)
    // A machine without IPv6 has no ::1 that somebody else could hold.
    if (server === 'EADDRINUSE' || server === 'EACCES') return false
    if (typeof server !== 'string') await new Promise((resolve) => server.close(resolve))
  }
  return true
}

/** The server that listens, or the code of the error for which it can't. */
function listen(port: number, host: string): Promise<Server | string> {
  const server = createServer((caller) => caller.destroy())
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => resolve(server))
  })
}
