import { connect, createServer, type Server, type Socket } from 'node:net'

/** One of several processes that do the same work. */
export interface BalancerTarget {
  port: number
  /** Whether the process accepts requests. Called often; rejects or returns false when it does not. */
  isReady: () => Promise<boolean>
}

const lookEveryMs = 200

/**
 * Passes each TCP connection to the next ready process, like a Kubernetes service: one address for the replicas of
 * a service on one machine.
 */
export class Balancer {
  readonly #port: number
  readonly #targets: readonly BalancerTarget[]
  readonly #ready = new Set<BalancerTarget>()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #turn = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(port: number, targets: readonly BalancerTarget[]) {
    this.#port = port
    this.#targets = targets
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#take(client))
  }

  /** Resolves when connections are accepted. */
  async start(): Promise<void> {
    await this.#look()
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ port: this.#port, host: '127.0.0.1' }, resolve)
    })
  }

  /** Closes the remaining connections. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    if (this.#server.listening) await closed
  }

  /** Checks the readiness of every target, and again shortly after the last check has finished. */
  async #look(): Promise<void> {
    await Promise.all(
      this.#targets.map(async (target) => {
        const isReady = await target.isReady().catch(() => false)
        if (isReady) this.#ready.add(target)
        else this.#ready.delete(target)
      }),
    )
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(), lookEveryMs)
  }

  #take(client: Socket): void {
    this.#keep(client)
    this.#turn += 1
    const inTurn = this.#targets.map((_, i, all) => all[(this.#turn + i) % all.length])
    const ready = inTurn.filter((target) => target !== undefined && this.#ready.has(target))
    void this.#join(client, ready as BalancerTarget[])
  }

  /** Connects the client to the first target that accepts the connection. */
  async #join(client: Socket, targets: readonly BalancerTarget[]): Promise<void> {
    for (const { port } of targets) {
      const upstream = await dial(port)
      if (upstream === undefined) continue
      this.#keep(upstream)
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
      if (client.destroyed) upstream.destroy()
      client.pipe(upstream)
      upstream.pipe(client)
      return
    }
    client.destroy()
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

function dial(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const failed = () => resolve(undefined)
    socket.once('error', failed)
    socket.once('connect', () => {
      socket.off('error', failed)
      resolve(socket)
    })
  })
}
