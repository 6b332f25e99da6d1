import { isObject, type JsonObject } from '../protocol/codec.ts'

/** The parameters of a `phx_join`. Unknown keys, and values of the wrong type, count as absent. */
export interface JoinParams {
  ack: boolean
  self: boolean
  presenceEnabled: boolean
  /** Empty when none was given. A key is generated when the member tracks its presence. */
  presenceKey: string
  /** The requested `postgres_changes` bindings, not validated. */
  changes: unknown
  token: string | null
}

export function readJoinParams(payload: JsonObject): JoinParams {
  const config = isObject(payload.config) ? payload.config : {}
  const broadcast = isObject(config.broadcast) ? config.broadcast : {}
  const presence = isObject(config.presence) ? config.presence : {}
  const { key } = presence
  const { access_token: token } = payload
  return {
    ack: broadcast.ack === true,
    self: broadcast.self === true,
    presenceEnabled: presence.enabled === true,
    presenceKey: typeof key === 'string' && key.length <= 255 ? key : '',
    changes: config.postgres_changes,
    token: typeof token === 'string' && token !== '' ? token : null,
  }
}
