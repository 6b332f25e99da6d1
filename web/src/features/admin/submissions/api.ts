import type { Channel } from '@looptide/contracts/http/channels'
import type {
  AcceptSubmissionsBody,
  DecideSubmissionsResult,
  RejectSubmissionsBody,
  SubmissionPage,
  SubmissionState,
} from '@looptide/contracts/http/submissions'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { allPages } from '../../../lib/api/all-pages.ts'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

const PATH = '/api/submissions'
/** Window in which several changes cause one reload, in ms. */
const RELOAD_DELAY_MS = 500

/** Submissions in one state, page by page, reloaded when a submission is added or decided. */
export function useSubmissions(state: SubmissionState) {
  const { pages, ...list } = useListPage<SubmissionPage>(PATH, { query: { state }, revalidateAll: true })
  const reload = useReload(pages, RELOAD_DELAY_MS)
  useTopic('moderation', topics.moderation, { submissions: reload }, reload)
  return { ...list, total: list.first?.total, reload: () => void pages.mutate() }
}

/** Active channels that an accepted video can be added to. */
export const useChannelChoices = () =>
  useSWR(['/api/channels', 'submissions'] as const, async ([path]) =>
    (await allPages<Channel>(path)).filter(({ isActive }) => isActive),
  )

/** Accepts videos into a category, and into a channel's playlist if one is named. Throws ApiError. */
export const acceptSubmissions = (body: AcceptSubmissionsBody): Promise<DecideSubmissionsResult> =>
  api.post(`${PATH}/accept`, body)

/** Rejects videos; their submitters see the reason. Throws ApiError. */
export const rejectSubmissions = (body: RejectSubmissionsBody): Promise<DecideSubmissionsResult> =>
  api.post(`${PATH}/reject`, body)
