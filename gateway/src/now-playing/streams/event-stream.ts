/** What is used of a TCP socket. */
interface StreamSocket {
  readonly destroyed: boolean
  write(bytes: Buffer, onTaken: () => void): boolean
  destroy(): unknown
}

/** Time for which a client may leave a message unread, in ms. */
const UNREAD_MS = 30_000

/** Server-sent events (HTML §9.2) have no message without an event. A line that starts with a colon is a comment. */
const COMMENT = Buffer.from(':\n\n')

/**
 * One client of server-sent events, of which nothing is kept but its socket. It is sent whole messages, and at most one is
 * unread: the newest message replaces those that have waited, because each says all.
 */
export class EventStream {
  readonly #socket: StreamSocket
  /** Monotonic clock in ms. */
  readonly #now: () => number
  #waiting: Buffer | null = null
  #unreadSinceMs: number | null = null

  constructor(socket: StreamSocket, now: () => number) {
    this.#socket = socket
    this.#now = now
  }

  /** Sends a message, or keeps it until the client has read the one before. */
  send(message: Buffer): void {
    if (this.#unreadSinceMs === null) this.#write(message)
    else this.#waiting = message
  }

  /** Keeps the connection open through proxies. False if the client does not read. */
  comment(): boolean {
    if (this.#unreadSinceMs === null) this.#write(COMMENT)
    return this.#now() - (this.#unreadSinceMs ?? this.#now()) < UNREAD_MS
  }

  /** Ends the connection. The client connects again by itself. */
  close(): void {
    this.#socket.destroy()
  }

  #write(bytes: Buffer): void {
    this.#unreadSinceMs = this.#now()
    this.#socket.write(bytes, this.#onTaken)
  }

  /** The system has taken all that was written. */
  readonly #onTaken = (): void => {
    const waiting = this.#waiting
    this.#unreadSinceMs = null
    this.#waiting = null
    if (waiting !== null && !this.#socket.destroyed) this.#write(waiting)
  }
}
