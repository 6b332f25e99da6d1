import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { AuditEntry } from '@looptide/contracts/http/admin'
import { paths } from '../../lib/paths.ts'
import { factsIn, firstName, firstText } from './audit-facts.ts'
import { isKnownAction, labelOf } from './audit-labels.ts'
import {
  affectedUser,
  category,
  channel,
  excluded,
  factorName,
  homeSection,
  type Names,
  type Part,
  tokenName,
  versionText,
  videos,
  viewerRequest,
  webhook,
} from './audit-parts.ts'

type Sentence = (entry: AuditEntry, names: Names) => Part[]

const RESTRICTIONS: Record<string, { add: string; noun: string }> = {
  chat_banned: { add: 'banned', noun: 'the chat ban on' },
  site_banned: { add: 'banned', noun: 'the site ban on' },
  restricted: { add: 'restricted', noun: 'the restriction on' },
}
const BANNED_FROM: Record<string, string> = { chat_banned: ' from the chat', site_banned: ' from the site' }

const restriction: Sentence = (entry, names) => {
  const type = String(factsIn(entry.after ?? entry.before).restrictionType)
  const { add, noun } = RESTRICTIONS[type] ?? { add: 'restricted', noun: 'a restriction on' }
  if (entry.action === 'user.restriction.remove') return [`removed ${noun} `, affectedUser(entry, names)]
  if (entry.before !== null) return [`replaced ${noun} `, affectedUser(entry, names)]
  return [`${add} `, affectedUser(entry, names), BANNED_FROM[type] ?? '']
}

const ROLES: Record<string, string> = {
  user: 'a viewer',
  programmer: 'a programmer',
  curator: 'a curator',
  moderator: 'a moderator',
  admin: 'an administrator',
}

const withUser =
  (verb: string): Sentence =>
  (entry, names) => [`${verb} `, affectedUser(entry, names)]

/** A change of one programme of the log of a channel. */
const logChange =
  (verb: string, preposition: string): Sentence =>
  (entry, names) => [
    `${verb} “${firstText(factsIn(entry.details).title) ?? 'a video'}” ${preposition} the log of `,
    channel(entry, names),
  ]

const THEME: Part = { text: 'the theme', to: paths.admin('theme-customizer') }
/** The kinds of changes of a log, as nouns. */
const LOG_EDITS: Record<string, string> = { insert: 'insertion', skip: 'skip', swap: 'swap', move: 'move' }

const withChannel =
  (verb: string): Sentence =>
  (entry, names) => [`${verb} `, channel(entry, names)]

const videosAndChannel =
  (verb: string, preposition: string): Sentence =>
  (entry, names) => [`${verb} `, videos(entry), ` ${preposition} `, channel(entry, names)]

const withVideos =
  (verb: string, kind?: string): Sentence =>
  (entry) => [`${verb} `, videos(entry, kind)]

const homeChange =
  (verb: string, preposition: string): Sentence =>
  (entry) => [`${verb} `, videos(entry), ` ${preposition} `, homeSection(entry)]

/** A sentence about a thing that has a name, such as `saved the library filter “Live”`. */
const named =
  (what: string): Sentence =>
  ({ before, after }) => {
    const name = firstText(factsIn(after ?? before).name)
    return [what, name ? ` “${name}”` : '']
  }

const followedListChange: Sentence = (entry, names) => {
  const { isPaused } = factsIn(entry.after)
  const verb = isPaused === factsIn(entry.before).isPaused ? 'changed' : isPaused ? 'paused' : 'resumed'
  return named(`${verb} the followed list`)(entry, names)
}

const plain =
  (text: string, to?: string): Sentence =>
  () => [to ? { text, to } : text]

/** `catalogue.video.added.v1` → “video added” */
const eventName = (subject: string): string =>
  `“${subject.split('.').slice(1, -1).join(' ').replaceAll('_', ' ') || 'an event'}”`

const deadLetter =
  (verb: string): Sentence =>
  ({ before, details }) => {
    const subject = firstText(factsIn(before).subject)
    const service = firstText(factsIn(details).service)
    const about = subject && ` about ${eventName(subject)}`
    return [`${verb} a dead letter${service ? ` of ${service.replaceAll('-', ' ')}` : ''}${about ?? ''}`]
  }

const SENTENCES: Record<AuditAction, Sentence> = {
  security_unauthorized_admin_attempt: plain(labelOf('security_unauthorized_admin_attempt')),
  security_admin_rate_limit_exceeded: plain(labelOf('security_admin_rate_limit_exceeded')),
  security_permission_check_error: plain(labelOf('security_permission_check_error')),
  security_high_activity_detected: plain(labelOf('security_high_activity_detected')),
  security_passkey_copied: plain(labelOf('security_passkey_copied')),
  security_key_copied: plain(labelOf('security_key_copied')),
  security_malware_refused: plain(labelOf('security_malware_refused')),
  'user.create': withUser('created the account of'),
  'user.invite': withUser('invited'),
  'user.update': withUser('changed the account of'),
  'user.delete': plain(labelOf('user.delete')),
  'user.generate_link': withUser('created a sign-in link for'),
  'user.data.export': withUser('exported the personal data of'),
  'user.remove_factor': withUser('removed a second factor of'),
  'user.remove_passkey': withUser('removed a passkey of'),
  'user.sessions.end': withUser('ended the sessions of'),
  'user.sessions.end_all': plain('ended the sessions of all users'),
  'user.password.reset': withUser('reset the password of'),
  'passkey.add': plain(labelOf('passkey.add')),
  'passkey.remove': (entry) => {
    const name = firstText(factsIn(entry.details).passkeyName)
    return [`removed the passkey ${name ? `“${name}” ` : ''}from their account`]
  },
  'factor.add': ({ details }) => [`added ${factorName(details)} to their account`],
  'factor.remove': ({ details }) => [`removed ${factorName(details)} from their account`],
  'user.role.set': (entry, names) => {
    const role = ROLES[String(factsIn(entry.after).role)]
    const user = affectedUser(entry, names)
    return role ? ['made ', user, ` ${role}`] : ['changed the role of ', user]
  },
  'personal_token.create': ({ after }) => ['created the access token ', tokenName(after)],
  'personal_token.revoke': ({ before }) => ['revoked the access token ', tokenName(before)],
  'user.restriction.add': restriction,
  'user.restriction.remove': restriction,
  'user.restriction.carry_over': (entry, names) => [
    'applied a restriction of a deleted account to ',
    affectedUser(entry, names),
  ],
  'video.add': withVideos('added'),
  'video.export': plain('exported the library', paths.admin('video-library')),
  'video.delete': withVideos('deleted'),
  'video.restore': withVideos('restored'),
  'video.purge': withVideos('permanently deleted'),
  'video.edit': withVideos('edited'),
  'video.edit_many': withVideos('edited'),
  'video.undo_edit': withVideos('undid an edit of'),
  'video.accept': (entry) => ['accepted ', videos(entry, 'submitted video'), ` into ${category(entry)}`],
  'video.reject': withVideos('rejected', 'submitted video'),
  'video.move': (entry) => ['moved ', videos(entry), ` to ${category(entry)}`],
  'video.update_metadata': withVideos('updated the metadata of'),
  'video_filter.create': named('saved the library filter'),
  'video_filter.update': named('changed the library filter'),
  'video_filter.delete': named('deleted the library filter'),
  'followed_list.create': named('followed the YouTube list'),
  'followed_list.update': followedListChange,
  'followed_list.delete': named('stopped following the YouTube list'),
  'followed_list.check': named('checked the followed list'),
  'metadata.retry': ({ before }) => [
    `retried the metadata lookup of ${firstName(factsIn(before).title) ?? 'a video'}`,
  ],
  'metadata.retry_all': plain(labelOf('metadata.retry_all')),
  'home.add': homeChange('added', 'to'),
  'home.update': homeChange('changed', 'on'),
  'home.remove': homeChange('removed', 'from'),
  'channel.create': (entry, names) => {
    const original = firstText(factsIn(entry.details).copyOf)
    return ['created the channel ', channel(entry, names), original ? ` as a copy of ${original}` : '']
  },
  'channel.update': withChannel('changed the channel'),
  'channel.delete': withChannel('deleted the channel'),
  'playlist.add': videosAndChannel('added', 'to'),
  'playlist.remove': videosAndChannel('removed', 'from'),
  'playlist.remove_many': videosAndChannel('removed', 'from'),
  'playlist.order': withChannel('reordered the playlist of'),
  'playlist.clear': (entry, names) => [
    'cleared the playlist of ',
    channel(entry, names),
    ' (',
    videos(entry),
    ')',
  ],
  'quarantine.release': (entry) => ['released ', videos(entry), ' from quarantine'],
  'quarantine.replace': ({ before, details, targetId }) => {
    const { videoTitle, replacementTitle } = factsIn(details)
    const id = firstText(targetId, factsIn(before).videoId)
    const title = firstText(videoTitle)
    const text = title ? `“${title}”` : 'a video'
    const replacement = firstText(replacementTitle)
    return [
      'replaced ',
      id ? { text, to: paths.video(id) } : text,
      ` in quarantine with ${replacement ? `“${replacement}”` : 'another video'}`,
    ]
  },
  'schedule.save_draft': withChannel('saved the draft of the schedule of'),
  'schedule.discard_draft': withChannel('discarded the draft of the schedule of'),
  'schedule.submit': (entry, names) => ['submitted the schedule of ', channel(entry, names), ' for approval'],
  'schedule.withdraw': (entry, names) => ['returned the schedule of ', channel(entry, names), ' to draft'],
  'schedule.send_back': (entry, names) => [
    'sent back the schedule of ',
    channel(entry, names),
    ', which waited for approval',
  ],
  'schedule.publish': (entry, names) => [
    `published ${versionText(factsIn(entry.after).version)} of the schedule of `,
    channel(entry, names),
  ],
  'schedule.restore': (entry, names) => [
    `published ${versionText(factsIn(entry.details).restoredFrom)} of the schedule of `,
    channel(entry, names),
    ' again',
  ],
  'schedule.remove': withChannel('stopped using the schedule of'),
  'log.insert': logChange('inserted', 'into'),
  'log.skip': logChange('skipped', 'in'),
  'log.swap': logChange('swapped', 'with another programme in'),
  'log.move': logChange('moved', 'in'),
  'log.undo': (entry, names) => {
    const edit = LOG_EDITS[String(factsIn(entry.details).edit)] ?? 'change'
    return logChange(`undid the ${edit} of`, 'in')(entry, names)
  },
  'takeover.start': withChannel('started a live takeover of'),
  'takeover.stop': withChannel('ended the live takeover of'),
  'takeover.undo': withChannel('undid the live takeover of'),
  'stream.start': withChannel('started the stream of'),
  'stream.stop': withChannel('stopped the stream of'),
  'stream.reset': withChannel('reset the stream of'),
  'chat_message.remove': (entry, names) => [
    'deleted a chat message by ',
    affectedUser(entry, names),
    ' on ',
    channel(entry, names),
  ],
  'chat_settings.update': withChannel('changed the chat settings of'),
  'chat_word_list.update': plain(labelOf('chat_word_list.update'), paths.moderation()),
  'chat_report.decide': withChannel('decided about a reported message on'),
  'chat_appeal.decide': withChannel('decided about an appeal on'),
  'chat_held.decide': withChannel('decided about a held message on'),
  'poll.create': withChannel('asked a poll on'),
  'poll.end': withChannel('ended a poll on'),
  'poll.remove': withChannel('deleted a poll on'),
  'request.withdraw': (entry, names) => ['withdrew ', ...viewerRequest(entry, names)],
  'request.refuse': (entry, names) => ['refused ', ...viewerRequest(entry, names)],
  'request.pin': (entry, names) => ['pinned ', ...viewerRequest(entry, names)],
  'request.unpin': (entry, names) => ['unpinned ', ...viewerRequest(entry, names)],
  'request_settings.update': (entry, names) => {
    const { isOpen } = factsIn(entry.after)
    const verb = isOpen === true ? 'opened' : isOpen === false ? 'closed' : 'opened or closed'
    return [`${verb} requests on `, channel(entry, names)]
  },
  'request_exclusion.add': (entry, names) => [
    'excluded ',
    excluded(entry),
    ' from requests on ',
    channel(entry, names),
  ],
  'request_exclusion.remove': (entry, names) => [
    'allowed ',
    excluded(entry),
    ' in requests on ',
    channel(entry, names),
    ' again',
  ],
  'theme.activate': () => ['changed ', THEME],
  'theme.upload': () => ['uploaded an image for ', THEME],
  'embeds.update': plain(labelOf('embeds.update'), paths.control('embeds')),
  'dead_letter.replay': deadLetter('replayed'),
  'dead_letter.drop': deadLetter('dropped'),
  'audit.export': plain('exported the audit log'),
  'webhook.create': (entry) => ['created the webhook to ', webhook(entry)],
  'webhook.update': (entry) => ['changed the webhook to ', webhook(entry)],
  'webhook.delete': (entry) => ['deleted the webhook to ', webhook(entry)],
  'webhook.rotate_secret': (entry) => ['replaced the secret of the webhook to ', webhook(entry)],
  'webhook.test': (entry) => ['sent a test to the webhook to ', webhook(entry)],
  'webhook.resend': (entry) => ['sent a delivery of the webhook to ', webhook(entry), ' again'],
}

/**
 * Describes an entry in a sentence that follows the name of the acting user. The id of an unknown action is spelled
 * out, followed by the user or channel that the entry is about.
 */
export function auditSentence(entry: AuditEntry, names: Names): Part[] {
  if (isKnownAction(entry.action)) return SENTENCES[entry.action](entry, names).filter((part) => part !== '')
  const label = labelOf(entry.action)
  if (entry.targetUserId && entry.targetUserId !== entry.adminUserId) {
    return [`${label}: `, affectedUser(entry, names)]
  }
  return entry.targetType === 'channel' ? [`${label}: `, channel(entry, names)] : [label]
}
