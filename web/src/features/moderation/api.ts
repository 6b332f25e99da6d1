import { topics } from '@looptide/contracts/realtime'
import { useCall } from '../../lib/api/use-call.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

/** The first waiting cases and their number, reloaded when one is reported, appealed or decided. */
export function useWaitingCases() {
  const answer = useCall('GET /api/chat/cases', {})
  const reload = useReload(answer)
  useTopic('moderation', topics.moderation, { cases: reload }, reload)
  return answer
}
