import {
  catalogueSubmissionAccept,
  catalogueSubmissionList,
  catalogueSubmissionListOwn,
  catalogueSubmissionReject,
} from '@looptide/contracts/operations/catalogue/library'
import { toPage } from '@looptide/service-kit/http/cursor'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { ownSubmissionCursor } from './own-submission-repository.ts'
import { submissionCursor } from './submission-repository.ts'
import { presentOwnSubmission, presentSubmission, type SubmissionService } from './submission-service.ts'

/** Routes of submissions and their review. */
export const submissionRoutes = ({ submissions }: { submissions: SubmissionService }): Route[] => [
  route(catalogueSubmissionList, async ({ query }) => {
    const { state = 'submitted', limit = 100, cursor } = query
    const { entries, total } = await submissions.list(state, limit, cursor)
    return { ...toPage(entries, limit, presentSubmission, submissionCursor), total }
  }),
  route(catalogueSubmissionListOwn, async ({ query: { limit = 100, cursor }, user }) => {
    const entries = await submissions.listOwn(user.id, limit, cursor)
    return toPage(entries, limit, presentOwnSubmission, ownSubmissionCursor)
  }),
  route(catalogueSubmissionAccept, async ({ body, cause }) => ({
    decided: await submissions.accept(body, cause),
  })),
  route(catalogueSubmissionReject, async ({ body, cause }) => ({
    decided: await submissions.reject(body, cause),
  })),
]
