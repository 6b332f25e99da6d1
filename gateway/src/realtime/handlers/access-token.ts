import type { ClientFrame } from '../protocol/codec.ts'
import type { Membership } from '../topic/membership.ts'
import { TOPIC_RULES } from '../topic/topic-rules.ts'
import type { HandlerContext, HandlerResult } from './handler-context.ts'

/**
 * Replaces the access token of a membership. Without a token nothing changes. A token that cannot be verified at the
 * moment is ignored too; the previous one stays valid until it expires.
 */
export function renewToken(
  context: HandlerContext,
  member: Membership,
  { payload }: ClientFrame,
): HandlerResult {
  const token = payload.access_token
  if (typeof token !== 'string' || token === '') return undefined
  return applyToken(context, member, token)
}

async function applyToken(context: HandlerContext, member: Membership, token: string): Promise<void> {
  const { identities } = context.deps
  const { connection, topic } = member
  const result = await identities.checkPresented(token, connection.apiKey)
  if (connection.memberships.get(topic.key) !== member || result === null || result === 'unknown') return
  const rule = TOPIC_RULES[topic.name.kind]
  if (typeof result === 'object') {
    context.bindSession(connection, result.identity)
    member.identity = result.identity
    if (!rule.mayJoin(topic.name, result.identity, identities))
      context.closeChannel(member, 'You no longer have access to this topic.', 'close')
  } else if (result === 'expired' && rule.isPublic) member.identity = null
  else context.closeChannel(member, 'The access token is invalid.', 'close')
}
