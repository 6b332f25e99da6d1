import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListSubmissionsQuery, SubmissionPage } from '@looptide/contracts/http/submissions'
import { toPage } from '@looptide/service-kit/http/cursor'
import { submissionCursor } from '../submission-repository.ts'
import { presentSubmission, type SubmissionService } from '../submission-service.ts'

/** GET /api/submissions: submissions in a state, by default the undecided ones (`submissions:review`). */
export const listSubmissions: FastifyPluginAsyncTypebox<{ submissions: SubmissionService }> = async (
  app,
  { submissions },
) => {
  app.get(
    '/api/submissions',
    {
      schema: {
        summary: 'Videos that were submitted for review',
        querystring: ListSubmissionsQuery,
        response: { 200: SubmissionPage },
      },
      config: { operation: 'catalogue.submission.list' },
    },
    async (request) => {
      const { state = 'submitted', limit = 100, cursor } = request.query
      const { entries, total } = await submissions.list(state, limit, cursor)
      return { ...toPage(entries, limit, presentSubmission, submissionCursor), total }
    },
  )
}
