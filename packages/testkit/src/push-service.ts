import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { importJWK, type JWTPayload, jwtVerify } from 'jose'

/** A push that the service has accepted, decrypted as the browser does. */
interface ReceivedPush {
  message: unknown
  topic: string | undefined
  ttlS: number
  contentType: string | undefined
  /** The claims with which the sender identifies itself (RFC 8292). */
  claims: JWTPayload
}

/** A browser's subscription at the service, as `PushSubscription.toJSON()` returns it. */
export interface FakeSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
  /** What the service has accepted, in order. */
  received: ReceivedPush[]
  /** What the browser shows: a push replaces one of the same topic that it has not shown. */
  shown: Map<string, unknown>
  /** The service no longer knows it. */
  isGone: boolean
}

/** A push service (RFC 8030) that checks the encryption (RFC 8291, 8188) and the sender (RFC 8292) of every push. */
export interface FakePushService {
  url: string
  /** A new subscription, restricted to a sender's public key as browsers do it. */
  subscribe(publicKey: string): FakeSubscription
  /** Answers the next pushes with these statuses, and does not accept them. */
  failures: number[]
  /** Called before a push is answered. */
  beforeAnswer: () => Promise<void> | void
  /** Why pushes were refused. */
  refused: string[]
  stop(): Promise<void>
}

interface Device {
  curve: ECDH
  auth: Buffer
  publicKey: string
  subscription: FakeSubscription
}

/** Starts a push service on this machine, over http. */
export async function startFakePushService(): Promise<FakePushService> {
  const devices = new Map<string, Device>()
  const server = createServer((request, response) => {
    void receive(request).then((status) => {
      response.writeHead(status, status === 201 ? { location: `${service.url}/message` } : {}).end()
    })
  })
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await buffer(request)
    const device = devices.get(request.url ?? '')
    if (request.method !== 'POST' || device === undefined) return 404
    if (device.subscription.isGone) return 410
    const failure = service.failures.shift()
    if (failure !== undefined) return failure
    try {
      const received = await read(request, body, device, service.url)
      device.subscription.received.push(received)
      device.subscription.shown.set(
        received.topic ?? String(device.subscription.received.length),
        received.message,
      )
      await service.beforeAnswer()
      return 201
    } catch (error) {
      service.refused.push(String(error))
      return 400
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: FakePushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures: [],
    beforeAnswer: () => undefined,
    refused: [],
    subscribe: (publicKey) => {
      const curve = createECDH('prime256v1')
      const [p256dh, auth] = [curve.generateKeys('base64url'), randomBytes(16)]
      const path = `/push/${randomBytes(16).toString('base64url')}`
      const keys = { p256dh, auth: auth.toString('base64url') }
      const subscription = {
        endpoint: service.url + path,
        keys,
        received: [],
        shown: new Map(),
        isGone: false,
      }
      devices.set(path, { curve, auth, publicKey, subscription })
      return subscription
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

async function read(
  { headers }: IncomingMessage,
  body: Buffer,
  device: Device,
  origin: string,
): Promise<ReceivedPush> {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted with aes128gcm')
  const topic = headers.topic === undefined ? undefined : String(headers.topic)
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error('no topic of RFC 8030')
  if (!/^\d+$/.test(String(headers.ttl))) throw new Error('without a TTL')
  return {
    claims: await verifySender(headers.authorization ?? '', device.publicKey, origin),
    message: JSON.parse(decrypt(body, device)) as unknown,
    topic,
    ttlS: Number(headers.ttl),
    contentType: headers['content-type'],
  }
}

/** The claims of a sender whose key is the one of the subscription (RFC 8292 §3, §4.2). */
async function verifySender(authorization: string, publicKey: string, origin: string): Promise<JWTPayload> {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== publicKey) throw new Error('the sender has another key than the subscription')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const verifier = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
  const { payload } = await jwtVerify(token, verifier, { audience: origin, maxTokenAge: undefined })
  if (payload.exp === undefined || payload.exp * 1000 > Date.now() + 86_400_000)
    throw new Error('the token is valid for more than a day')
  if (!/^(mailto:|https:)/.test(String(payload.sub))) throw new Error('without a contact')
  return payload
}

/** The text of a body of one record (RFC 8188 §2), with the key of RFC 8291 §3.4. */
function decrypt(body: Buffer, { curve, auth }: Device): string {
  const idLength = body.readUInt8(20)
  const [salt, senderKey] = [body.subarray(0, 16), body.subarray(21, 21 + idLength)]
  const record = body.subarray(21 + idLength)
  const secret = curve.computeSecret(senderKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const material = Buffer.from(hkdfSync('sha256', secret, auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Error('without the delimiter of the last record')
  return padded.subarray(0, end).toString('utf8')
}
