import { topics } from '@looptide/contracts/realtime'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

const PAGE_SIZE = 50

/**
 * Users by handle, page by page. `q` searches handles, artist names and emails. Reloaded after each change by another
 * admin.
 */
export function useUsers(q: string) {
  const { pages, ...list } = useListPage(
    'GET /api/users',
    { query: { q: q || undefined, limit: PAGE_SIZE } },
    { keepPreviousData: true, revalidateFirstPage: false, revalidateOnFocus: false },
  )
  const reload = useReload(pages)
  useTopic(
    'audit',
    topics.audit,
    {
      entry: ({ entry }) => {
        if (entry.action?.startsWith('user.')) reload()
      },
    },
    reload,
  )
  return { ...list, reload }
}
