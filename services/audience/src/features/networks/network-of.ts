import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import { type NetworkKeys, networkKeysOf } from './network-keys.ts'

/** Returns the keys of the network of a request's client. */
export type NetworkOf = (request: FastifyRequest) => NetworkKeys

/** {@link NetworkOf} with this secret and clock. */
export const createNetworkOf =
  (secret: string, now: () => number): NetworkOf =>
  (request) =>
    networkKeysOf(clientIp(request), secret, now())
