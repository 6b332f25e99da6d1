import { createServer, type Server } from 'node:net'
import { Failure } from './failure.ts'

// Below the kernel's range for outgoing connections (Linux: from 32768, macOS: from 49152), so that the port of a
// killed server is still free when it is started again.
const lowest = 15_000
const blockSize = 50
const blocks = 340

/**
 * A block of ports that only this process assigns. Seconds pass between choosing and using a port, in which another
 * station must not choose the same one. A process therefore reserves a block by listening on its first port, which the
 * kernel allows once and releases with the process.
 */
interface Block {
  first: number
  given: number
}

let block: Promise<Block> | undefined

/**
 * A free TCP port on loopback that this function gives to no other process while this one lives. Each call returns
 * another port. Not `get-port`, which reserves a port within one process only.
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
      // The block stays reserved: servers may use its ports as long as this process lives.
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
    // Does not keep the process alive.
    claim.unref()
    return { first, given: 0 }
  }
  throw new Failure('No free port was found on this machine: stop some of the servers that run here.')
}

/** Whether a server may listen on `port`, on both addresses of `localhost`. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const server = await listen(port, host)
    // A machine without IPv6 has no ::1.
    if (server === 'EADDRINUSE' || server === 'EACCES') return false
    if (typeof server !== 'string') await new Promise((resolve) => server.close(resolve))
  }
  return true
}

/** The listening server, or the error code. */
function listen(port: number, host: string): Promise<Server | string> {
  const server = createServer((caller) => caller.destroy())
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => resolve(server))
  })
}
