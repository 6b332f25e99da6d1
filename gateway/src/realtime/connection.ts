import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { BucketSize } from '../limits/leaky-bucket.ts'
import { type ClientFrame, encodeText, type Version } from './codec.ts'
import type { FrameQueue } from './frame-queue.ts'
import type { Identity } from './identity.ts'
import { type InboundLimits, InboundMeter } from './inbound-meter.ts'
import type { Membership } from './topic.ts'
import { textFrame } from './websocket-frame.ts'

/** Why we close a socket: the code and the words in the close frame (4000 and up are an application's own). */
export const CLOSE = {
  restarting: [1012, 'The station restarts; please come back.'],
  fault: [1011, 'Something went wrong on our side.'],
  idle: [4000, 'No heartbeat.'],
  sessionEnded: [4001, 'Your session has ended.'],
  slow: [4008, 'Too slow to follow.'],
  flood: [4029, 'Too many messages, or too many bytes.'],
  tooLarge: [1009, 'The message is too large.'],
  /** `ws` has found a violation of RFC 6455 and sent its own code. */
  protocol: [1002, 'Not a WebSocket frame.'],
} as const satisfies Record<string, readonly [number, string]>
export type CloseReason = keyof typeof CLOSE

export interface ConnectionLimits {
  /** A socket with more than this many bytes unsent is cut off. */
  maxBufferedBytes: number
  /** Messages of a socket. The burst is for a client that reconnects and joins all its topics together. */
  messages: BucketSize
  /** What a socket may send that is on public topics alone, or on none. */
  public: InboundLimits
  /** The same for a socket on a topic of one person, or of the admins, where members broadcast. */
  private: InboundLimits
}

const OPEN = 1
/** A peer that does not answer the close frame, or never reads as far as it, is dropped after this. */
const CLOSE_GRACE_MS = 1000
/** The same for a peer that is closed for what it sends. Nothing is read from it in this time. */
const HOSTILE_GRACE_MS = 250
const HOSTILE: readonly CloseReason[] = ['flood', 'tooLarge', 'protocol']

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
  waiting: FrameQueue | null = null
  /** How many of the memberships are of private topics. */
  privateTopics = 0
  closeReason: CloseReason | null = null
  readonly #ws: WebSocket
  readonly #wire: Socket
  readonly #limits: ConnectionLimits
  readonly #meter: InboundMeter

  constructor(ws: WebSocket, wire: Socket, version: Version, limits: ConnectionLimits, nowMs: number) {
    this.#ws = ws
    this.#wire = wire
    this.version = version
    this.#limits = limits
    this.lastSeenMs = nowMs
    this.#meter = new InboundMeter(limits.messages, nowMs)
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

  /** What this socket may send at the moment. */
  get inbound(): InboundLimits {
    return this.privateTopics > 0 ? this.#limits.private : this.#limits.public
  }

  /** Counts bytes read from the network; closes a socket that sends too many. Call it after their messages. */
  countRead(bytes: number, nowMs: number): void {
    if (!this.isOpen) return
    const excess = this.#meter.read(bytes, this.inbound, nowMs)
    if (excess !== null) this.close(excess)
  }

  /** Counts a whole message; false, and the socket is closed, when it is too large or one too many. */
  countMessage(bytes: number, nowMs: number): boolean {
    const excess = this.#meter.message(bytes, this.inbound, nowMs)
    if (excess !== null) this.close(excess)
    return excess === null
  }

  /** Counts `cost` messages; false, and the socket is closed, when these are too many. */
  spend(cost: number, nowMs: number): boolean {
    const isWithin = this.#meter.spend(cost, nowMs)
    if (!isWithin) this.close('flood')
    return isWithin
  }

  /** Counts bytes that others are sent because of this socket; false, and it is closed, when these are too many. */
  spendRelayed(bytes: number, nowMs: number): boolean {
    const isWithin = this.#meter.relay(bytes, this.inbound, nowMs)
    if (!isWithin) this.close('flood')
    return isWithin
  }

  /** Sends the reason and closes. Drops the connection if the peer does not close it as well. */
  close(reason: CloseReason): void {
    if (!this.isOpen) return
    const [code, text] = CLOSE[reason]
    this.#ws.close(code, text)
    this.closed(reason)
  }

  /** A close frame was sent. Drops the connection if the peer does not close it as well. */
  closed(reason: CloseReason): void {
    const isHostile = HOSTILE.includes(reason)
    // `ws` resumes reading in the next tick after each error it finds, to wait for the peer's close frame.
    if (isHostile) process.nextTick(() => this.#ws.pause())
    if (this.closeReason !== null) return
    this.closeReason = reason
    const grace = setTimeout(() => this.#ws.terminate(), isHostile ? HOSTILE_GRACE_MS : CLOSE_GRACE_MS)
    this.#ws.once('close', () => clearTimeout(grace))
  }
}
