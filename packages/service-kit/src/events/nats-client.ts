/**
 * The only module that imports the package `nats` (`.dependency-cruiser.mjs` enforces it). A change of the client
 * library affects this file only.
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
  MsgHdrs,
  NatsConnection,
  PubAck,
  StoredMsg,
  StreamConfig,
  StreamInfo,
  Subscription,
} from 'nats'
export { AckPolicy, DeliverPolicy, DiscardPolicy, headers, nanos, RetentionPolicy, StorageType } from 'nats'

/** Connection options, and whether the application has closed the connection. */
interface OwnedOptions extends ConnectionOptions {
  isClosed: () => boolean
}

/**
 * A transport that can abort a connection attempt. The client's own transport (2.29.3) ignores `close()` until the server
 * has sent INFO, so each attempt that times out keeps its socket. If INFO arrives later, that socket stays open beside
 * the new connection, and its end makes the client drop the new connection. The original transport also tries the
 * server's further IP addresses after the application has closed the connection.
 */
class AttemptTransport extends NodeTransport {
  override async connect(server: Parameters<NodeTransport['connect']>[0], options: OwnedOptions) {
    if (options.isClosed()) throw closedError()
    await super.connect(server, options)
    if (!options.isClosed()) return
    await super.close()
    throw closedError()
  }

  /** Stores the socket before it is connected, so that {@link close} can abort the attempt. */
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

/** Opens a connection. Rejects if the server is unreachable, unless `waitOnFirstConnect` is set. */
export async function connect(options: ConnectionOptions): Promise<NatsConnection> {
  let connection: NatsConnection | undefined
  const owned: OwnedOptions = { ...options, isClosed: () => connection?.isClosed() ?? false }
  connection = await NatsConnectionImpl.connect(owned)
  return connection
}

/** Client that publishes to and consumes streams. */
export const jetstream = (nats: NatsConnection, options?: JetStreamOptions): JetStreamClient =>
  nats.jetstream(options)

/** Manager of streams and consumers. `checkAPI: false` skips the initial request to the server. */
export const jetstreamManager = (
  nats: NatsConnection,
  options?: JetStreamManagerOptions,
): Promise<JetStreamManager> => nats.jetstreamManager(options)

/** A stream's message by sequence number; null if the stream does not contain it. */
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

/** JetStream error: no message with this sequence number. */
const NO_MESSAGE = 10_037

/**
 * Stops consuming and ends the loop over the messages. Does not wait: the client's `close()` never resolves after the loop
 * was left early, because the loop itself performs the last step.
 */
export function stopConsuming(messages: ConsumerMessages): void {
  void messages.close()
}

/** JetStream's error response: HTTP-like `status` and NATS error `code`. Undefined for other errors. */
export function jetStreamError(error: unknown): { status: number; code: number } | undefined {
  if (!(error instanceof NatsError) || error.api_error === undefined) return undefined
  return { status: error.api_error.code, code: error.api_error.err_code ?? 0 }
}

/** Whether NATS permissions do not allow the subject. */
export const isPermissionError = (error: unknown): boolean =>
  error instanceof NatsError && error.isPermissionError()

/** Whether no stream and no subscriber receives the subject. */
export const isNoResponders = (error: unknown): boolean =>
  error instanceof NatsError && error.code === ErrorCode.NoResponders && error.api_error === undefined

/** Whether the message can never be sent: it is too large or its subject is invalid. */
export const isUnsendable = (error: unknown): boolean =>
  error instanceof NatsError &&
  (error.code === ErrorCode.MaxPayloadExceeded || error.code === ErrorCode.BadSubject)

/** Throws for an invalid subject. The client would send it unescaped, and NATS could parse it as other commands. */
export function requireSubject(subject: string): void {
  if (!/^[^\s.*>]+(\.[^\s.*>]+)*$/.test(subject)) throw NatsError.errorForCode(ErrorCode.BadSubject)
}

/** Yields on each loss and recovery of the connection. Ends when the connection is closed. */
export async function* connectionChanges(nats: NatsConnection): AsyncGenerator<'disconnect' | 'reconnect'> {
  for await (const { type } of nats.status()) {
    const name: string = type
    if (name === 'disconnect' || name === 'reconnect') yield name
  }
}

/** Yields each subject that NATS refuses to let this connection publish (`publish`) or subscribe to (`subscription`). */
export async function* permissionRefusals(
  nats: NatsConnection,
): AsyncGenerator<{ operation: string; subject: string }> {
  for await (const { permissionContext } of nats.status()) {
    if (permissionContext !== undefined) yield permissionContext
  }
}
