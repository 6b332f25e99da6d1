import { topics } from '@looptide/contracts/realtime'
import { useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

/** The first waiting cases and their number, reloaded when one is reported, appealed or decided. */
export function useWaitingCases() {
  const answer = useCall('GET /api/chat/cases', {})
  const reload = useReload(answer)
  useTopic('moderation', topics.moderation, { cases: reload }, reload)
  return answer
}

/** The messages that wait for a moderator, page by page, and their number, reloaded when one is held or decided. */
export function useHeldMessages() {
  const { pages, ...list } = useListPage('GET /api/chat/held', {}, { revalidateAll: true })
  const reload = useReload(pages)
  useTopic('moderation', topics.moderation, { held: reload }, reload)
  return { ...list, reload: () => void pages.mutate() }
}
