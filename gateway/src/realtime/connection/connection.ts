import type { Socket } from 'node:net'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { WebSocket } from 'ws'
import { writeFrames, writeParts } from '../../fast-path/raw-write.ts'
import { textFrame } from '../../fast-path/websocket-frame.ts'
import type { IncompleteMessages } from '../../limits/incomplete-messages.ts'
import { type BucketSize, LeakyBucket } from '../../limits/leaky-bucket.ts'
import type { NetworkBuckets } from '../../limits/network-buckets.ts'
import type { Identity } from '../identity.ts'
import { type ClientFrame, encodeText, type Version } from '../protocol/codec.ts'
import type { ChannelSocket, Membership } from '../topic/membership.ts'
import { CLOSE_REASONS, type CloseReason } from './close-reasons.ts'
import type { FrameQueue } from './frame-queue.ts'
import { FrameScanner } from './frame-scanner.ts'
import { type InboundLimits, InboundMeter } from './inbound-meter.ts'

export interface ConnectionLimits {
  /** A socket with more unsent bytes than this is closed. */
  maxBufferedBytes: number
  /** Rate of messages from one socket. The burst allows a reconnecting client to join all its topics at once. */
  messages: BucketSize
  /** Limits of a socket without a private topic. */
  public: InboundLimits
  /** Limits of a socket with a private topic, where members broadcast. */
  private: InboundLimits
}

/** What all sockets share. */
interface ConnectionDeps {
  limits: ConnectionLimits
  /** Bytes that the station sends because of what the sockets of each network send. */
  answered: NetworkBuckets
  /** Wall clock, epoch ms. */
  now: () => number
}

const OPEN = 1
/** Time after which a peer that does not answer the close frame is disconnected, in ms. */
const CLOSE_TIMEOUT_MS = 1000
/** The same for a peer that is closed because of what it sends. It is not read from during this time. */
const HOSTILE_CLOSE_TIMEOUT_MS = 250
const HOSTILE: readonly CloseReason[] = ['flood', 'incomplete', 'tooLarge', 'protocol']

/** The parameters in a handshake's address. */
export interface SocketParams {
  version: Version
  /** Not checked; empty for a long one. Old clients repeat it as their access token while no user is signed in. */
  apiKey: string
}

/** A socket after its handshake. */
export interface AcceptedSocket extends SocketParams {
  ws: WebSocket
  tcp: Socket
  /** Shared by all sockets of the network. */
  client: ClientNetwork
}

/** The socket of one client. */
export class Connection implements ChannelSocket {
  readonly client: ClientNetwork
  readonly version: Version
  readonly apiKey: string
  readonly memberships = new Map<string, Membership>()
  readonly sentVersions = new Map<string, number>()
  readonly sessions = new Set<string>()
  identity: Identity | null = null
  lastSeenMs: number
  /** Frames received while a join or an access token is verified; null when no verification is pending. */
  pendingFrames: FrameQueue | null = null
  privateTopics = 0
  closeReason: CloseReason | null = null
  readonly #ws: WebSocket
  readonly #tcp: Socket
  readonly #limits: ConnectionLimits
  readonly #deps: ConnectionDeps
  readonly #meter: InboundMeter
  readonly #answered: LeakyBucket
  readonly #scanner = new FrameScanner()

  constructor({ ws, tcp, version, apiKey, client }: AcceptedSocket, deps: ConnectionDeps) {
    this.#ws = ws
    this.#tcp = tcp
    this.client = client
    this.version = version
    this.apiKey = apiKey
    this.#deps = deps
    this.#limits = deps.limits
    this.lastSeenMs = deps.now()
    this.#meter = new InboundMeter(deps.limits.messages, this.lastSeenMs)
    this.#answered = new LeakyBucket(this.lastSeenMs)
  }

  get isOpen(): boolean {
    return this.#ws.readyState === OPEN && this.closeReason === null
  }

  /** Writes one or more whole frames unless the socket is closing. Closes a socket that reads too slowly. */
  write(frames: Buffer): void {
    if (!this.isOpen) return
    if (!writeFrames(this.#tcp, frames, this.#limits.maxBufferedBytes)) this.close('slow')
  }

  answer(parts: readonly Buffer[]): void {
    if (!this.isOpen) return
    this.charge(parts.reduce((sum, part) => sum + part.length, 0))
    if (!writeParts(this.#tcp, parts, this.#limits.maxBufferedBytes)) this.close('slow')
  }

  send(joinRef: string | null, ref: string | null, topic: string, event: string, payloadJson: string): void {
    this.answer([textFrame(encodeText(this.version, joinRef, ref, topic, event, payloadJson))])
  }

  mayReceive(bytes: number): boolean {
    const { answered, now } = this.#deps
    const nowMs = now()
    return (
      this.#answered.waitMs(bytes, this.inbound.answered, nowMs) === 0 &&
      answered.waitMs(this.client, nowMs, bytes) === 0
    )
  }

  /**
   * Refuses nothing: whatever is much larger than its request asks `mayReceive` first, and what a socket sends bounds the
   * other answers. A full bucket stays full.
   */
  charge(bytes: number): void {
    const { answered, now } = this.#deps
    const nowMs = now()
    answered.take(this.client, nowMs, bytes)
    this.#answered.add(bytes, this.inbound.answered, nowMs)
  }

  reply(frame: ClientFrame, status: 'ok' | 'error', responseJson = '{}'): void {
    const payload = `{"status":"${status}","response":${responseJson}}`
    this.send(frame.joinRef, frame.ref, frame.topic, 'phx_reply', payload)
  }

  refuse(frame: ClientFrame, reason: string): undefined {
    this.reply(frame, 'error', JSON.stringify({ reason }))
  }

  /** What this socket may currently send. */
  get inbound(): InboundLimits {
    return this.privateTopics > 0 ? this.#limits.private : this.#limits.public
  }

  /** Counts bytes read from the network. Closes the socket above a limit. Call it after their messages are handled. */
  countRead(chunk: Buffer, incomplete: IncompleteMessages, nowMs: number): void {
    if (!this.isOpen) return
    const wasIncomplete = this.#scanner.incompleteBytes > 0
    const hasBegun = this.#scanner.scan(chunk)
    const { incompleteBytes, heldBytes } = this.#scanner
    if (hasBegun) incomplete.begin(this, heldBytes, nowMs)
    else if (heldBytes > 0) incomplete.grow(this, heldBytes)
    else if (wasIncomplete) incomplete.remove(this)
    const excess = this.#meter.read(chunk.length, incompleteBytes, this.inbound, nowMs)
    if (excess !== null) this.close(excess)
  }

  /** Counts a complete message. False, and the socket is closed, when it is too large or above the rate. */
  countMessage(bytes: number, nowMs: number): boolean {
    const excess = this.#meter.message(bytes, this.inbound, nowMs)
    if (excess !== null) this.close(excess)
    return excess === null
  }

  /** Counts `cost` messages. False, and the socket is closed, above the rate. */
  spend(cost: number, nowMs: number): boolean {
    const isWithin = this.#meter.spend(cost, nowMs)
    if (!isWithin) this.close('flood')
    return isWithin
  }

  spendRelayed(bytes: number, nowMs: number): boolean {
    const isWithin = this.#meter.relay(bytes, this.inbound, nowMs)
    if (!isWithin) this.close('flood')
    return isWithin
  }

  /** Sends a close frame. Disconnects the peer if it does not answer it. */
  close(reason: CloseReason): void {
    if (!this.isOpen) return
    const [code, text] = CLOSE_REASONS[reason]
    this.#ws.close(code, text)
    this.closed(reason)
  }

  /** Call it when a close frame was sent. Disconnects the peer if it does not answer it. */
  closed(reason: CloseReason): void {
    const isHostile = HOSTILE.includes(reason)
    // After an error, `ws` resumes reading in the next tick, to wait for the peer's close frame.
    if (isHostile) process.nextTick(() => this.#ws.pause())
    if (this.closeReason !== null) return
    this.closeReason = reason
    const timeoutMs = isHostile ? HOSTILE_CLOSE_TIMEOUT_MS : CLOSE_TIMEOUT_MS
    const timer = setTimeout(() => this.#ws.terminate(), timeoutMs)
    this.#ws.once('close', () => clearTimeout(timer))
  }
}
