/** The kind of a topic decides who may join it and who may broadcast on it. */
export type TopicKind = 'stream' | 'chat' | 'user' | 'station' | 'guide' | 'admin' | 'audit' | 'moderation'

/** A parsed topic key. `id`: the channel's slug or the user's id; empty for kinds with a single topic. */
export interface TopicName {
  kind: TopicKind
  id: string
}

/** Prefix of every topic in the Supabase Realtime protocol. */
export const TOPIC_PREFIX = 'realtime:'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Parses `realtime:<kind>[:<id>]`. Null for an unknown topic. */
export function parseTopic(topicKey: string): TopicName | null {
  if (!topicKey.startsWith(TOPIC_PREFIX)) return null
  const name = topicKey.slice(TOPIC_PREFIX.length)
  if (name === 'station' || name === 'guide' || name === 'admin' || name === 'audit' || name === 'moderation')
    return { kind: name, id: '' }
  const colon = name.indexOf(':')
  const kind = name.slice(0, colon)
  const id = name.slice(colon + 1)
  if ((kind === 'stream' || kind === 'chat') && SLUG.test(id)) return { kind, id }
  if (kind === 'user' && UUID.test(id)) return { kind, id }
  return null
}
