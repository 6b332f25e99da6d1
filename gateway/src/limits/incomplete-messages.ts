import { type ClientNetwork, networkRanges } from '@looptide/service-kit/http/client-network'

export interface IncompleteLimits {
  /** Time within which a message must be complete, in ms. */
  maxMs: number
  /** Bytes of incomplete messages of one client network. An IPv6 /48 may have four times as many. */
  networkBytes: number
  /** Bytes of incomplete messages of all sockets. */
  totalBytes: number
}

/** A socket whose message is not complete. */
interface Sender {
  readonly client: ClientNetwork
  close(reason: 'incomplete'): void
}

/** The incomplete messages that one limit counts. */
interface Group {
  bytes: number
  maxBytes: number
  /** The message that has been incomplete for longest first. */
  readonly senders: Set<Sender>
}

interface IncompleteMessage {
  bytes: number
  beganAtMs: number
}

/** Key of the group of all sockets. Networks are never empty text. */
const ALL = ''

/**
 * Bounds the time and memory of messages that sockets begin and do not complete. Above a limit, the sockets whose messages
 * have been incomplete for longest are closed: those of viewers are complete within milliseconds, so that an attacker
 * who fills the memory does not disconnect them.
 */
export class IncompleteMessages {
  readonly #limits: IncompleteLimits
  readonly #messages = new Map<Sender, IncompleteMessage>()
  readonly #groups = new Map<string, Group>()

  constructor(limits: IncompleteLimits) {
    this.#limits = limits
  }

  /** Bytes of all incomplete messages. */
  get bytes(): number {
    return this.#groups.get(ALL)?.bytes ?? 0
  }

  /** Counts an incomplete message that has just begun. */
  begin(sender: Sender, bytes: number, nowMs: number): void {
    this.remove(sender)
    this.#messages.set(sender, { bytes: 0, beganAtMs: nowMs })
    this.grow(sender, bytes)
  }

  /** Sets the bytes of an incomplete message. Above a limit, closes the sockets that have been sending for longest. */
  grow(sender: Sender, bytes: number): void {
    const message = this.#messages.get(sender)
    if (message === undefined) return
    const added = bytes - message.bytes
    message.bytes = bytes
    for (const [key, maxBytes] of this.#limitsOf(sender)) {
      const group = this.#groups.get(key) ?? { bytes: 0, maxBytes, senders: new Set() }
      this.#groups.set(key, group)
      group.senders.add(sender)
      group.bytes += added
    }
    for (const [key] of this.#limitsOf(sender)) this.#closeAbove(key)
  }

  /** Call it when the message is complete, and when the socket is closed. */
  remove(sender: Sender): void {
    const message = this.#messages.get(sender)
    if (message === undefined) return
    this.#messages.delete(sender)
    for (const [key] of this.#limitsOf(sender)) {
      const group = this.#groups.get(key)
      if (group === undefined) continue
      group.senders.delete(sender)
      group.bytes -= message.bytes
      if (group.senders.size === 0) this.#groups.delete(key)
    }
  }

  /** Closes the sockets whose message has been incomplete for too long. */
  closeExpired(nowMs: number): void {
    for (const [sender, { beganAtMs }] of this.#messages) {
      if (nowMs - beganAtMs < this.#limits.maxMs) return
      this.#close(sender)
    }
  }

  #closeAbove(key: string): void {
    for (const group = this.#groups.get(key); group !== undefined && group.bytes > group.maxBytes; ) {
      const [oldest] = group.senders
      if (oldest === undefined) return
      this.#close(oldest)
    }
  }

  #close(sender: Sender): void {
    this.remove(sender)
    sender.close('incomplete')
  }

  /** The groups of a socket: its network, its IPv6 /48, and all sockets. */
  #limitsOf({ client }: Sender): [key: string, maxBytes: number][] {
    const { networkBytes, totalBytes } = this.#limits
    return [
      ...networkRanges(client).map(({ key, times }): [string, number] => [key, networkBytes * times]),
      [ALL, totalBytes],
    ]
  }
}
