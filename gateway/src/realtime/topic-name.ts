/** What a topic is about decides who may join it and who may speak on it. */
export type TopicKind = 'stream' | 'chat' | 'user' | 'station' | 'guide' | 'admin' | 'moderation'

/** A topic's address taken apart. `id`: the channel's slug or the user's id, empty where there is only one. */
export interface TopicName {
  kind: TopicKind
  id: string
}

/** The protocol puts this before every topic's name. */
export const PREFIX = 'realtime:'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The parts of `realtime:<kind>[:<id>]`, or null when there is no such topic. */
export function parseTopic(topic: string): TopicName | null {
  if (!topic.startsWith(PREFIX)) return null
  const name = topic.slice(PREFIX.length)
  if (name === 'station' || name === 'guide' || name === 'admin' || name === 'moderation')
    return { kind: name, id: '' }
  const colon = name.indexOf(':')
  const kind = name.slice(0, colon)
  const id = name.slice(colon + 1)
  if ((kind === 'stream' || kind === 'chat') && SLUG.test(id)) return { kind, id }
  if (kind === 'user' && UUID.test(id)) return { kind, id }
  return null
}
