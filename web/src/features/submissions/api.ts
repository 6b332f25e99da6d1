import type { SubmissionState } from '@looptide/contracts/http/submissions'
import { topics } from '@looptide/contracts/realtime'
import { useAllPages } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

/** Window in which several changes cause one reload, in ms. */
const RELOAD_DELAY_MS = 500

/** Submissions in one state, page by page, reloaded when a submission is added or decided. */
export function useSubmissions(state: SubmissionState) {
  const { pages, ...list } = useListPage(
    'GET /api/submissions',
    { query: { state } },
    { revalidateAll: true },
  )
  const reload = useReload(pages, RELOAD_DELAY_MS)
  useTopic('moderation', topics.moderation, { submissions: reload }, reload)
  return { ...list, total: list.first?.total, reload: () => void pages.mutate() }
}

/** Active channels that an accepted video can be added to. */
export const useChannelChoices = () =>
  (useAllPages('GET /api/channels', {}).data ?? []).filter(({ isActive }) => isActive)
