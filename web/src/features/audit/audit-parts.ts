import type { AuditEntry } from '@looptide/contracts/http/admin'
import { countText } from '../../lib/count-text.ts'
import { paths } from '../../lib/paths.ts'
import { factsIn, firstText, videosOf } from './audit-facts.ts'

/** Part of a sentence: plain text, or text that links to the path `to`. */
export type Part = string | { text: string; to: string }

/** Names for ids that occur in entries. */
export interface Names {
  handleOf: (userId: string) => string | undefined
  channelName: (channelId: string) => string | undefined
}

/** Name and link of the user that an entry is about. */
export function affectedUser({ targetUserId, isPseudonymised }: AuditEntry, { handleOf }: Names): Part {
  if (isPseudonymised) return 'a pseudonymised user'
  const handle = targetUserId === null ? undefined : handleOf(targetUserId)
  return handle ? { text: handle, to: paths.member(handle) } : 'an account'
}

/** The channel by the name recorded in the entry; without one, by its current name. */
export function channel(
  { details, before, after, targetType, targetId }: AuditEntry,
  { channelName }: Names,
): Part {
  const id = firstText(targetType === 'channel' ? targetId : null, factsIn(details).channelId)
  const then = firstText(factsIn(details).channelName, factsIn(before).name, factsIn(after).name)
  const text = then ?? (id === undefined ? undefined : channelName(id))
  return text ? { text, to: paths.admin('channels') } : 'a channel'
}

/** Whether an entry about any number of videos has lost their list with its personal data. */
const hasLostVideos = ({ isPseudonymised, targetId, targetType }: AuditEntry): boolean =>
  isPseudonymised && (targetId === null || targetType === 'channel')

/** "3 videos", or a single video by its title. */
export function videos(entry: AuditEntry, kind = 'video'): Part {
  if (hasLostVideos(entry)) return `${kind}s`
  const { count, id, title } = videosOf(entry)
  if (count !== 1) return { text: countText(count, kind), to: paths.admin('video-library') }
  const text = title ? `“${title}”` : `a ${kind}`
  return id ? { text, to: paths.video(id) } : text
}

/** What an exclusion from requests names. */
export function excluded(entry: AuditEntry): Part {
  const { artistName, videoId } = factsIn(entry.after ?? entry.before)
  if (firstText(artistName)) return `the artist “${artistName}”`
  return videoId ? videos(entry) : 'a video or an artist'
}

/** A viewer's request: whose, for which video, on which channel. */
export const viewerRequest = (entry: AuditEntry, names: Names): Part[] => [
  'the request of ',
  affectedUser(entry, names),
  ' for ',
  videos(entry),
  ' on ',
  channel(entry, names),
]

/** The host of a webhook. */
export const webhook = ({ details, before, after }: AuditEntry): string =>
  firstText(factsIn(details).host, factsIn(before).host, factsIn(after).host) ?? 'a receiver'

/** A version of a schedule. */
export const versionText = (version: unknown): string =>
  typeof version === 'number' ? `version ${version}` : 'a version'

/** The name of an access token, quoted. */
export const tokenName = (facts: unknown): string => `“${firstText(factsIn(facts).name) ?? ''}”`

/** The category that videos were put into. */
export const category = ({ after }: AuditEntry): string => firstText(factsIn(after).category) ?? 'a category'

const HOME_SECTIONS: Record<string, string> = { hero: 'Hero', featured: 'Featured Content' }

/** The home screen, with the section if it is known. */
export function homeSection({ before, after }: AuditEntry): Part {
  const { sectionType, sectionName } = factsIn(after ?? before)
  const name = firstText(sectionName, HOME_SECTIONS[String(sectionType)])
  return { text: name ? `the home screen (${name})` : 'the home screen', to: paths.admin('home-screen') }
}

const FACTORS: Record<string, string> = {
  totp: 'an authenticator app',
  webauthn: 'a security key',
  recovery_code: 'recovery codes',
}
/** A second factor of sign-in, by its type. */
export const factorName = (details: unknown): string =>
  FACTORS[String(factsIn(details).factorType)] ?? 'a second factor'
