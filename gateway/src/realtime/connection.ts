import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { type ClientFrame, encodeText, type Version } from './codec.ts'
import type { Identity } from './identity.ts'
import type { Membership } from './topic.ts'
import { textFrame } from './websocket-frame.ts'

/** Why we close a socket: the code and the words in the close frame (4000 and up are an application's own). */
export const CLOSE = {
  restarting: [1012, 'The station restarts; please come back.'],
  fault: [1011, 'Something went wrong on our side.'],
  idle: [4000, 'No heartbeat.'],
  sessionEnded: [4001, 'Your session has ended.'],
  slow: [4008, 'Too slow to follow.'],
  flood: [4029, 'Too many messages.'],
} as const satisfies Record<string, readonly [number, string]>
export type CloseReason = keyof typeof CLOSE

export interface ConnectionLimits {
  /** A socket with more than this many bytes unsent is cut off. */
  maxBufferedBytes: number
  messagesPerSecond: number
  /** How many messages may come at once: a client that reconnects joins all its topics together. */
  messageBurst: number
}

const OPEN = 1
/** A peer that does not answer the close frame, or never reads as far as it, is dropped after this. */
const CLOSE_GRACE_MS = 1000

/**
 * One browser's socket. It writes ready-made frames straight to the TCP (or TLS) socket beneath `ws`.
 * That is sound because `ws` itself, without compression and with no Blobs sent, hands every frame of
 * its own (pong, close) whole and synchronously to the same socket: whenever this code runs, no frame
 * is half written, and order of calls is order on the wire. Nothing is written once closing began.
 */
export class Connection {
  readonly version: Version
  readonly memberships = new Map<string, Membership>()
  /** Sessions whose tokens this socket has shown. */
  readonly sessions = new Set<string>()
  identity: Identity | null = null
  lastSeenMs: number
  /** Frames that wait for a join or token that is still being checked; null when none is. */
  waiting: ClientFrame[] | null = null
  closeReason: CloseReason | null = null
  readonly #ws: WebSocket
  readonly #wire: Socket
  readonly #limits: ConnectionLimits
  #allowance: number
  #allowanceAtMs: number

  constructor(ws: WebSocket, wire: Socket, version: Version, limits: ConnectionLimits, nowMs: number) {
    this.#ws = ws
    this.#wire = wire
    this.version = version
    this.#limits = limits
    this.lastSeenMs = nowMs
    this.#allowance = limits.messageBurst
    this.#allowanceAtMs = nowMs
  }

  get isOpen(): boolean {
    return this.#ws.readyState === OPEN && this.closeReason === null
  }

  /** Writes a whole frame, or several, unless the socket is closing. Cuts off a reader that is too slow. */
  write(frame: Buffer): void {
    if (!this.isOpen) return
    if (this.#wire.writableLength + frame.length > this.#limits.maxBufferedBytes) this.close('slow')
    else this.#wire.write(frame)
  }

  /**
   * Writes frames, or pieces of them, by one system call and without copying them together: all or none. What else is
   * written in the same turn goes with them: an arrival's joins are answered at once.
   */
  writeAll(pieces: readonly Buffer[]): void {
    if (!this.isOpen) return
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (this.#wire.writableLength + bytes > this.#limits.maxBufferedBytes) {
      this.close('slow')
      return
    }
    this.#wire.cork()
    for (const piece of pieces) this.#wire.write(piece)
    process.nextTick(() => this.#wire.uncork())
  }

  send(joinRef: string | null, ref: string | null, topic: string, event: string, payloadJson: string): void {
    this.write(textFrame(encodeText(this.version, joinRef, ref, topic, event, payloadJson)))
  }

  reply(frame: ClientFrame, status: 'ok' | 'error', responseJson = '{}'): void {
    const payload = `{"status":"${status}","response":${responseJson}}`
    this.send(frame.joinRef, frame.ref, frame.topic, 'phx_reply', payload)
  }

  refuse(frame: ClientFrame, reason: string): undefined {
    this.reply(frame, 'error', JSON.stringify({ reason }))
  }

  /** Counts a message that weighs `cost`; false when the socket talks too much. */
  spend(cost: number, nowMs: number): boolean {
    const { messagesPerSecond, messageBurst } = this.#limits
    const earned = ((nowMs - this.#allowanceAtMs) / 1000) * messagesPerSecond
    this.#allowance = Math.min(messageBurst, this.#allowance + Math.max(0, earned)) - cost
    this.#allowanceAtMs = nowMs
    return this.#allowance >= 0
  }

  /** Says why, then closes; drops the line if the peer does not follow. */
  close(reason: CloseReason): void {
    if (!this.isOpen) return
    this.closeReason = reason
    const [code, text] = CLOSE[reason]
    this.#ws.close(code, text)
    const grace = setTimeout(() => this.#ws.terminate(), CLOSE_GRACE_MS)
    this.#ws.once('close', () => clearTimeout(grace))
  }
}
