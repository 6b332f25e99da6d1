import type { ListCasesQuery } from '@looptide/contracts/http/chat-cases'
import { topics } from '@looptide/contracts/realtime'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** Cases by state, page by page, reloaded when one is reported, appealed or decided. */
export function useCases(state: NonNullable<ListCasesQuery['state']>) {
  const { pages, ...list } = useListPage('GET /api/chat/cases', { query: { state } }, { revalidateAll: true })
  const reload = useReload(pages)
  useTopic('moderation', topics.moderation, { cases: reload }, reload)
  return { ...list, waiting: list.first?.waiting ?? 0, reload: async () => void (await pages.mutate()) }
}
