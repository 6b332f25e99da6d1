/**
 * The NATS client of the whole project: the only module that imports the package `nats`. Everything else imports from
 * here, so that another client replaces this file alone (`.dependency-cruiser.json` enforces it).
 */
import { createConnection, type Socket } from 'node:net'
import {
  type ConnectionOptions,
  type ConsumerMessages,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type JetStreamManagerOptions,
  type JetStreamOptions,
  type NatsConnection,
  NatsError,
  type StoredMsg,
} from 'nats'
import { NatsConnectionImpl, setTransportFactory } from 'nats/lib/src/nats-base-client.js'
import { NodeTransport, nodeResolveHost } from 'nats/lib/src/node_transport.js'

export type {
  ConsumerInfo,
  JetStreamClient,
  JetStreamManager,
  JsMsg,
  Msg,
  MsgHdrs,
  NatsConnection,
  PubAck,
  StoredMsg,
  StreamConfig,
  StreamInfo,
  Subscription,
} from 'nats'
export { AckPolicy, DeliverPolicy, DiscardPolicy, headers, nanos, RetentionPolicy, StorageType } from 'nats'

/** Options of one connection, and whether the application has closed it. */
interface OwnedOptions extends ConnectionOptions {
  isClosed: () => boolean
}

/**
 * A transport that ends its connection attempt when the client gives it up. The client's own one (2.29.3) ignores
 * `close()` until the server has greeted, so each attempt that times out keeps its socket. If the server greets later,
 * the socket stays open beside the connection that replaced it, and its end makes the client drop that connection. It
 * also dials the server's further addresses after the application has closed the connection.
 */
class AttemptTransport extends NodeTransport {
  override async connect(server: Parameters<NodeTransport['connect']>[0], options: OwnedOptions) {
    if (options.isClosed()) throw closedError()
    await super.connect(server, options)
    if (!options.isClosed()) return
    await super.close()
    throw closedError()
  }

  /** Keeps the socket from the start, so that {@link close} can end an attempt that nobody has answered. */
  override dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    const socket = createConnection({ host: hostname, port, noDelay: true })
    this.socket = socket
    let failure: unknown
    socket.on('error', (error) => {
      failure = error
    })
    socket.once('close', () => reject(failure ?? closedError()))
    socket.once('connect', () => {
      socket.removeAllListeners()
      resolve(socket)
    })
    return promise
  }

  override async close(error?: Error): Promise<void> {
    if (this.connected) await super.close(error)
    else this.socket?.destroy()
  }
}

setTransportFactory({ factory: () => new AttemptTransport(), dnsResolveFn: nodeResolveHost })

const closedError = (): NatsError => NatsError.errorForCode(ErrorCode.ConnectionClosed)

/** Opens a connection. Rejects when the server does not answer, unless `waitOnFirstConnect` is set. */
export async function connect(options: ConnectionOptions): Promise<NatsConnection> {
  let connection: NatsConnection | undefined
  const owned: OwnedOptions = { ...options, isClosed: () => connection?.isClosed() ?? false }
  connection = await NatsConnectionImpl.connect(owned)
  return connection
}

/** Publishes to streams and reads them over a connection. */
export const jetstream = (nats: NatsConnection, options?: JetStreamOptions): JetStreamClient =>
  nats.jetstream(options)

/** Reads and changes streams and consumers. `checkAPI: false` asks the server for nothing first. */
export const jetstreamManager = (
  nats: NatsConnection,
  options?: JetStreamManagerOptions,
): Promise<JetStreamManager> => nats.jetstreamManager(options)

/** A stream's message by its number; null when the stream does not hold it. */
export async function storedMessage(
  manager: JetStreamManager,
  stream: string,
  seq: number,
): Promise<StoredMsg | null> {
  try {
    return await manager.streams.getMessage(stream, { seq })
  } catch (error) {
    if (jetStreamError(error)?.code === NO_MESSAGE) return null
    throw error
  }
}

/** JetStream: the stream holds no message of this number. */
const NO_MESSAGE = 10_037

/**
 * Asks for no more messages and ends the loop over them. Nothing to wait for: the client's `close()` never resolves once
 * the loop was left early, since only the loop takes the last step of it.
 */
export function stopConsuming(messages: ConsumerMessages): void {
  void messages.close()
}

/** What JetStream answered instead of a result: HTTP-like `status`, and NATS's own `code`. Undefined for other errors. */
export function jetStreamError(error: unknown): { status: number; code: number } | undefined {
  if (!(error instanceof NatsError) || error.api_error === undefined) return undefined
  return { status: error.api_error.code, code: error.api_error.err_code ?? 0 }
}

/** NATS permissions do not allow the subject. */
export const isPermissionError = (error: unknown): boolean =>
  error instanceof NatsError && error.isPermissionError()

/** No stream and no subscriber takes the subject. */
export const isNoResponders = (error: unknown): boolean =>
  error instanceof NatsError && error.code === ErrorCode.NoResponders && error.api_error === undefined

/** The message can never be sent: it is too large, or its subject is none. */
export const isUnsendable = (error: unknown): boolean =>
  error instanceof NatsError &&
  (error.code === ErrorCode.MaxPayloadExceeded || error.code === ErrorCode.BadSubject)

/** Throws for a text that is no subject to publish to. The client would send it, and NATS would read other commands. */
export function requireSubject(subject: string): void {
  if (!/^[^\s.*>]+(\.[^\s.*>]+)*$/.test(subject)) throw NatsError.errorForCode(ErrorCode.BadSubject)
}

/** Yields each time the connection is lost or back. Ends when it is closed. */
export async function* connectionChanges(nats: NatsConnection): AsyncGenerator<'disconnect' | 'reconnect'> {
  for await (const { type } of nats.status()) {
    const name: string = type
    if (name === 'disconnect' || name === 'reconnect') yield name
  }
}

/** Yields what NATS refuses this connection to publish (`publish`) or to subscribe to (`subscription`). */
export async function* permissionRefusals(
  nats: NatsConnection,
): AsyncGenerator<{ operation: string; subject: string }> {
  for await (const { permissionContext } of nats.status()) {
    if (permissionContext !== undefined) yield permissionContext
  }
}
